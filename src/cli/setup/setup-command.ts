import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import { readServer } from "../../fleet/serve-settings.ts";
import type { CommandModule } from "../command-registry.ts";
import { formatTerminalLine } from "../terminal-text.ts";
import type { Terminal } from "../terminal.ts";
import { checkFree, KEY_FILE, keepApp, SETTINGS_FILE } from "./keep-app.ts";
import { parseWebhook } from "./manifest.ts";
import { formatInstallation, openRegistration, type RegisteredApp } from "./register-app.ts";

interface SetupOptions {
  readonly webhook: string;
  readonly organization?: string;
  readonly directory: string;
  readonly port: string;
}

/** `taskfleet setup`: registers the App on GitHub with exactly the permissions and events it needs. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("setup")
    .description("register the App on GitHub, in a browser, and keep its key and settings")
    .requiredOption("--webhook <address>", "where GitHub will reach the App: https://HOST/api/github/webhooks")
    .option("--organization <name>", "the organisation that will own it (default: you)")
    .option("-C, --directory <path>", "where its key and settings are put", ".")
    .option("--port <number>", "where the page is shown on this machine (0: any that is free)", "0")
    .addHelpText("after", "\nGHE_HOST and GHE_PROTOCOL name a GitHub Enterprise Server, as for `taskfleet serve`.")
    .action(async (options: SetupOptions) => {
      try {
        await setUp(options, terminal);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        terminal.writeError(`${error.message}\n`);
        setExitCode(2);
      }
    });
};

async function setUp(options: SetupOptions, terminal: Terminal): Promise<void> {
  const webhook = parseWebhook(options.webhook);
  const organization = options.organization ?? null;
  if (organization !== null && !/^[\w-]{1,100}$/u.test(organization))
    throw new UserError(`${organization} is no organisation's name.`);
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UserError(`${options.port} is no port.`);
  const problems: string[] = [];
  const { host, protocol, baseUrl } = readServer(process.env, problems);
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  await checkFree(options.directory);
  const registration = await openRegistration({
    server: `${protocol}://${host ?? "github.com"}`,
    baseUrl,
    organization,
    webhook,
    port,
    keep: (app) =>
      keepApp(options.directory, app, host === undefined ? {} : { GHE_HOST: host, GHE_PROTOCOL: protocol }),
    warn: (text) => terminal.writeError(`${formatTerminalLine(text)}\n`),
  }).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== "EADDRINUSE") throw error;
    throw new UserError(`Port ${port} is taken: choose another one with --port.`);
  });
  terminal.write(`Open ${registration.url} in a browser on this machine. Waiting for GitHub …\n`);
  let app: RegisteredApp;
  try {
    app = await registration.registered;
  } finally {
    await registration.close();
  }
  const file = path.join(options.directory, SETTINGS_FILE);
  terminal.write(
    [
      `${app.name} is registered (${app.url}).`,
      `Its settings are in ${file}, its key in ${path.join(options.directory, KEY_FILE)}: both are secret.`,
      ...(app.webhookSecret === null
        ? [`GitHub made no secret for the webhook: set one on the App's settings page and in ${file}.`]
        : []),
      "Next:",
      `  install it: ${formatInstallation(app)}`,
      `  start it:   set -a; . ${file.includes("/") ? file : `./${file}`}; taskfleet serve`,
      "  taskfleet doctor   says what is missing",
      "",
    ].join("\n"),
  );
}
