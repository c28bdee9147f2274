import { existsSync } from "node:fs";
import path from "node:path";
import { scrubEnvironment } from "../agents/scrub-environment.ts";

/** Where toolchains live that do not stand in PATH by themselves; none of these folders holds credentials. */
const toolchains = [
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "NVM_DIR",
  "VOLTA_HOME",
  "JAVA_HOME",
  "GOROOT",
  "DOTNET_ROOT",
  "ANDROID_HOME",
  "SDKMAN_DIR",
  "GRADLE_HOME",
  "MAVEN_HOME",
  "RUNNER_TOOL_CACHE",
  "ImageOS",
  "ImageVersion",
] as const;

/** Toolchain managers that look below HOME when they are not told. */
const belowHome: Readonly<Record<string, string>> = {
  RUSTUP_HOME: ".rustup",
  PYENV_ROOT: ".pyenv",
  NVM_DIR: ".nvm",
  VOLTA_HOME: ".volta",
};

/**
 * The environment of commands in a floor job: no token, no key, no configuration of the machine's
 * user, and a HOME of its own.
 */
export function buildCommandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const own: Record<string, string> = {
    CI: "true",
    TASKFLEET_FLOOR: "true",
    // Untrusted programs may not find the owner of the checkout: git would refuse to read it.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
    GIT_TERMINAL_PROMPT: "0",
    NO_COLOR: "1",
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
  };
  for (const name of toolchains) {
    const value = env[name];
    if (value !== undefined && value !== "") own[name] = value;
  }
  const former = env["HOME"];
  if (former !== undefined)
    for (const [name, folder] of Object.entries(belowHome)) {
      const place = path.join(former, folder);
      if (own[name] === undefined && existsSync(place)) own[name] = place;
    }
  return scrubEnvironment(env, home, own);
}
