import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RevenueDelivery } from "@millrace/contract";
import { onTestFinished } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../../apps/index.ts";
import { appsServer, newAccount } from "../../apps/testing/apps-server.ts";
import { rewardsArea } from "../../rewards/index.ts";
import { atSeconds, type EventRow } from "../../statistics/index.ts";
import { impression } from "../../statistics/testing/some-rows.ts";
import { webhooksArea } from "../index.ts";

const SECRET = "a secret for tests of at least 32 bytes";

/** The verifier of the documentation, as a publisher copies it. */
export async function documentedVerifier() {
  const page = await readFile(new URL("../../../../../docs/revenue-webhook.md", import.meta.url), "utf8");
  const dir = await mkdtemp(join(tmpdir(), "verify-delivery-"));
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  await writeFile(join(dir, "verify.mjs"), code);
  const { isGenuine } = (await import(pathToFileURL(join(dir, "verify.mjs")).href)) as {
    isGenuine(body: Buffer, headers: IncomingHttpHeaders, keysUrl: string): Promise<boolean>;
  };
  await rm(dir, { recursive: true });
  return { isGenuine, code };
}

export interface Call {
  headers: IncomingHttpHeaders;
  body: Buffer;
  delivery: RevenueDelivery;
}

/** A publisher's server, which answers with a status, or as long as `isSilent` not at all. */
export async function startReceiver() {
  const receiver = { calls: [] as Call[], status: 204, isSilent: false, origin: "" };
  receiver.origin = await serveHttp((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const delivery = RevenueDelivery.parse(JSON.parse(body.toString()));
      receiver.calls.push({ headers: request.headers, body, delivery });
      if (!receiver.isSilent) reply.writeHead(receiver.status).end();
    });
    request.on("error", () => undefined);
  });
  return receiver;
}

/** An impression that was stored at a moment. Those of a test would be stored now, which is not read before some seconds are over. */
export const storedAt = (ms: number, time: string, row: Partial<EventRow>): EventRow =>
  ({ ...impression(time, row), stored_at: atSeconds(ms) }) as EventRow;

/** An owner with an app, and the area on a clock that a test can set. */
export async function startWebhooks(stores: TestStores, { demo = true } = {}) {
  const { pool } = stores.pg;
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const at = await appsServer(stores, { now: clock.now, role: "SUSR" });
  const deps = { pool, clock, log: silentLog, secrets: [SECRET] };
  const more = { demo, lookMs: 200, statistics: at.statistics };
  const newArea = () => webhooksArea({ ...deps, ...more, findApp: (reach, uuid) => at.apps.findApp(reach, uuid) });
  let area = newArea();
  area.routes(at.server);
  rewardsArea(deps).routes(at.server);
  const origin = await at.server.listen({ port: 0, host: "127.0.0.1" });
  await area.start?.();
  onTestFinished(async () => {
    await area.stop?.();
    await at.stop();
    await pool.query("DELETE FROM revenue_webhooks");
  });
  const owner = await newAccount(stores, "Owner");
  const addApp = () => createApp(pool, owner, { name: "Puzzle", bundleId: "com.example.puzzle", platform: "android" });
  const app = await addApp();
  const path = (uuid = app.uuid) => `/apps/${uuid}/revenue_webhook`;
  return {
    at,
    app,
    addApp,
    owner,
    clock,
    path,
    keysUrl: `${origin}/reward-keys.json`,
    /** Saves the address, and looks for work at once. */
    save: (url: string, uuid = app.uuid) => at.send("PUT", owner, path(uuid), { url }),
    /** Sets the address that was read at a revision, or removes it. */
    replace: (url: string | null, revision: string) => {
      const asked = `${path()}?revision=${revision}`;
      return url === null ? at.remove(owner, asked) : at.send("PUT", owner, asked, { url });
    },
    state: async (uuid = app.uuid) => (await at.get(owner, `${path(uuid)}.json`)).body,
    /** Stops the area, with whatever it is sending, and starts another. */
    async restart() {
      await area.stop?.();
      area = newArea();
      await area.start?.();
    },
  };
}
