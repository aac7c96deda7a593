import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { buildServer } from "../../../platform/http/build-server.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { type StatisticsDeps, statisticsArea } from "../../statistics/index.ts";
import { type AppsAreaDeps, appsArea } from "../index.ts";

/**
 * The routes of the apps area on real stores. The header `x-account` has the caller's account id, and `x-apps` the ids
 * of chosen apps; without an account the request is anonymous.
 */
export async function appsServer(
  { pg, clickhouse }: TestStores,
  {
    now = Date.now,
    role = "GST",
    retentionDays,
    ...some
  }: Partial<AppsAreaDeps> & Pick<StatisticsDeps, "retentionDays"> & { now?: () => number; role?: Role } = {},
) {
  const dir = await mkdtemp(join(tmpdir(), "apps-"));
  const journalDir = join(dir, "journal");
  const clock = { now };
  const statistics = await statisticsArea({
    clickhouse,
    journalDir,
    clock,
    log: silentLog,
    ...(retentionDays && { retentionDays }),
  });
  const apps = appsArea({
    pool: pg.pool,
    clock,
    log: silentLog,
    publicUrl: "https://ads.example.com",
    demo: false,
    statistics,
    // Tests of jobs start their own.
    jobs: openJobs({ pool: pg.pool, log: silentLog }),
    filesDir: join(dir, "files"),
    providerNames: async () => new Map([["aurora", "Aurora Exchange"]]),
    memberNames: async () => new Map(),
    partnersOf: async () => [],
    switchPartner: async () => false,
    connectDemoPartners: async () => [],
    siteState: async () => "no_site",
    fontPath: null,
    samples: { providerNames: new Map(), zones: () => [], fill: async () => {}, clear: async () => {} },
    sdk: {
      latest: "1.2.0",
    },
    ...some,
  });
  const server: FastifyInstance = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => {
      const accountId = Number(request.headers["x-account"]);
      const chosen = request.headers["x-apps"];
      const appIds = typeof chosen === "string" ? (chosen.match(/\d+/g) ?? []).map(Number) : null;
      return accountId > 0 ? someCaller({ accountId, role, appIds, has_all_apps: appIds === null }) : null;
    },
  });
  apps.routes(server);
  return {
    statistics,
    apps,
    /** Status and parsed reply of a GET as the account. */
    async get(accountId: number, url: string): Promise<{ status: number; body: unknown }> {
      const reply = await server.inject({ url, headers: { "x-account": String(accountId) } });
      return { status: reply.statusCode, body: reply.json() };
    },
    /** Status and parsed reply of a call with a JSON body as the account. */
    async send(method: "POST" | "PUT", accountId: number, url: string, payload: unknown) {
      const headers = { "x-account": String(accountId), "content-type": "application/json" };
      const reply = await server.inject({ method, url, headers, payload: JSON.stringify(payload) });
      return { status: reply.statusCode, body: reply.json<unknown>() };
    },
    async remove(accountId: number, url: string) {
      const reply = await server.inject({ method: "DELETE", url, headers: { "x-account": String(accountId) } });
      return { status: reply.statusCode, body: reply.json<unknown>() };
    },
    server,
    async stop() {
      await server.close();
      await statistics.stop?.();
      await rm(dir, { recursive: true });
    },
  };
}

export async function newAccount({ pg }: TestStores, name: string): Promise<number> {
  const { rows } = await pg.pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ($1) RETURNING id", [name]);
  const [account] = rows;
  if (!account) throw new Error("an insert gives its row back");
  return account.id;
}
