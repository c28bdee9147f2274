import type { Hono } from "hono";
import type { Services } from "../services.ts";

/** The pages people look at. */
export function addPages(site: Hono, services: Services): void {
  site.get("/", (c) => c.text(`${services.world.repositories.size} repositories`));
}
