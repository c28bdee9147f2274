/** A Probot app that does nothing: what an App's process costs before it does anything. `node bare-probot.ts` */
import pino from "pino";
import { Probot, Server } from "probot";

const { APP_ID, PRIVATE_KEY, WEBHOOK_SECRET, PORT } = process.env;
const log = pino({ level: "warn" }, pino.destination(2));
const server = new Server({
  port: Number(PORT),
  host: "127.0.0.1",
  log,
  Probot: Probot.defaults({ appId: Number(APP_ID), privateKey: PRIVATE_KEY ?? "", secret: WEBHOOK_SECRET ?? "", log }),
});
await server.load((app) => {
  app.onAny(() => undefined);
});
await server.start();
console.log(JSON.stringify({ listening: `http://127.0.0.1:${PORT}` }));
process.once("SIGTERM", () => void server.stop());
