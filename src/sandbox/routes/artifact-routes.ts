import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Hono } from "hono";
import { type ApiRoutes, NEED, enter, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { notFound } from "../http-problem.ts";
import { serializeArtifact } from "../serialize/serialize-run.ts";
import type { Services } from "../services.ts";
import { findRun } from "./workflow-run-routes.ts";

/** The address of an archive expires after a minute. https://docs.github.com/en/rest/actions/artifacts#download-an-artifact */
const URL_LIFETIME_MS = 60_000;

/** https://docs.github.com/en/rest/actions/artifacts, and the storage host artifacts are fetched from. */
export function addArtifactRoutes(routes: ApiRoutes, site: Hono, services: Services): void {
  const { urls, world } = services;
  const key = randomBytes(32);
  const sign = (text: string) => createHmac("sha256", key).update(text).digest();

  routes.get("/repos/:owner/:repo/actions/runs/:run/artifacts", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const run = findRun(repository, c);
    const name = c.req.query("name");
    const artifacts = [...repository.artifacts.values()].filter(
      (artifact) => artifact.runId === run.id && (name === undefined || artifact.name === name),
    );
    return c.json({
      total_count: artifacts.length,
      artifacts: paginate(c, artifacts).map((artifact) => serializeArtifact(urls, repository, run, artifact)),
    });
  });

  routes.get("/repos/:owner/:repo/actions/artifacts/:id", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const artifact = repository.artifacts.get(readNumber(c, "id"));
    const run = artifact === undefined ? undefined : repository.runs.get(artifact.runId);
    if (artifact === undefined || run === undefined) throw notFound();
    return c.json(serializeArtifact(urls, repository, run, artifact));
  });

  routes.get("/repos/:owner/:repo/actions/artifacts/:id/:format", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const artifact = repository.artifacts.get(readNumber(c, "id"));
    if (artifact === undefined || c.req.param("format") !== "zip") throw notFound();
    const expires = world.now() + URL_LIFETIME_MS;
    const path = `${repository.id}/${artifact.id}`;
    const signature = sign(`${path}/${expires}`).toString("base64url");
    return c.redirect(`${urls.html}/_signed/artifacts/${path}?expires=${expires}&sig=${signature}`, 302);
  });

  site.get("/_signed/artifacts/:repository/:artifact", async (c) => {
    const path = `${c.req.param("repository")}/${c.req.param("artifact")}`;
    const expires = Number(c.req.query("expires"));
    const given = Buffer.from(c.req.query("sig") ?? "", "base64url");
    const expected = sign(`${path}/${expires}`);
    const valid = given.length === expected.length && timingSafeEqual(given, expected) && world.now() < expires;
    if (!valid) return c.text("AuthenticationFailed: the signature is not valid or has expired.", 403);
    const repository = world.repositories.get(Number(c.req.param("repository")));
    const artifact = repository?.artifacts.get(Number(c.req.param("artifact")));
    if (artifact === undefined) return c.text("BlobNotFound", 404);
    const bytes = new Uint8Array(await readFile(artifact.file));
    return c.body(bytes, 200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${encodeURIComponent(artifact.name)}.zip"`,
    });
  });
}
