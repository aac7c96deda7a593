import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { appsServer, newAccount } from "./apps-server.ts";

type Server = Awaited<ReturnType<typeof appsServer>>;

interface Added {
  status: number;
  reply: Record<string, unknown>;
}

export const inDevelopment = { dev: 1, platform: "android", name: "Tide", bundle_id: "com.example.tide" };

/** Accounts that add apps, and a local store with one app. Call it once at the top of the file. */
export async function addInTest() {
  const stores = await testStores();
  const { pool } = stores.pg;
  const found = await readFile(new URL("../add-app/stores/fixtures/app-store.json", import.meta.url), "utf8");
  const world = {
    stores,
    pool,
    clock: { offsetMs: 0 },
    /** The account that adds, new in each test. */
    account: 0,
    /** The store's reply; each test may replace it. */
    answer: { status: 200, body: found },
    servers: {} as { real: Server; demo: Server },
    async newAccount(): Promise<number> {
      return newAccount(stores, "Other");
    },
    async add(body: object, { by, on, key }: { by?: number; on?: Server; key?: string } = {}): Promise<Added> {
      const server = on ?? world.servers.real;
      const payload = { type: "apps", ...body };
      const path = key === undefined ? "/apps/add_app" : `/apps/add_app?key=${key}`;
      const { status, body: reply } = await server.send("POST", by ?? world.account, path, payload);
      return { status, reply: reply as Record<string, unknown> };
    },
    async rowOf(uuid: unknown): Promise<Record<string, unknown> | undefined> {
      const { rows } = await pool.query<Record<string, unknown>>("SELECT * FROM apps WHERE uuid = $1", [uuid]);
      return rows[0];
    },
    /** Looks up an app and waits for the result. */
    async lookUp(url: string): Promise<{ qid: string; status: string; items?: { id: string }[] }> {
      const { status, reply } = await world.add({ url });
      const { qid } = reply;
      expect([status, reply]).toEqual([200, { qid, status: "waiting" }]);
      let polled = await world.add({ qid });
      for (let tries = 0; tries < 100 && String(polled.reply["status"]).endsWith("ing"); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        polled = await world.add({ qid });
      }
      return { qid, ...polled.reply } as Awaited<ReturnType<typeof world.lookUp>>;
    },
  };

  const jobs = openJobs({ pool, log: silentLog });
  const store = createServer((_, reply) => reply.writeHead(world.answer.status).end(world.answer.body));
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      store.listen(0, "127.0.0.1", resolve);
    });
    const storeOrigin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    const now = () => Date.now() + world.clock.offsetMs;
    const [real, demo] = [
      await appsServer(stores, { role: "SDEV", storeOrigin, now, jobs }),
      await appsServer(stores, { role: "SDEV", demo: true }),
    ];
    // Samples send jobs.
    await jobs.start();
    world.servers = { real, demo };
  });
  afterAll(async () => {
    await jobs.stop();
    await Promise.all([world.servers.real.stop(), world.servers.demo.stop()]);
    store.close();
  });
  return world;
}
