import { afterAll, expect, test } from "vitest";
import { buildServer } from "../../platform/http/build-server.ts";
import { fairQueue } from "../../platform/fair-queue.ts";
import { deferred } from "../../platform/journal/deferred.ts";
import { silentLog } from "../../platform/log.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { paymentRoutes } from "./routes.ts";
import { publisherBooks } from "./testing/publisher-books.ts";

const { pool } = await testPostgres();
const accountId = await publisherBooks(pool).newAccount();
const turns = fairQueue({ atOnce: 8, perKey: 4, waitingPerKey: 100, waitMs: 20_000, busyText: "Come back" });
const app = await buildServer({
  log: silentLog,
  trustedProxies: 0,
  authenticate: async () => someCaller({ accountId }),
});
afterAll(() => app.close());
paymentRoutes(app, {
  pool,
  clock: { now: Date.now },
  publicUrl: "https://ads.example.com",
  providerNames: async () => new Map(),
  revenueSharePpm: 800_000,
  tellAdmins: async () => {},
  turns,
  demo: false,
});

test.each(["/report.csv", "/report/gen_report_pdf"])(
  "%s waits until the account's earlier calls are done",
  async (url) => {
    const { promise, resolve } = deferred();
    const earlier = Array.from({ length: 4 }, () => turns.run(accountId, () => promise));
    let isDone = false;
    const asked = Promise.resolve(app.inject({ url, query: { ds: "2025-11-01", de: "2025-11-30" } })).then((reply) => {
      isDone = true;
      return reply.statusCode;
    });
    await expect.poll(() => turns.waiting()).toBe(1);
    expect(isDone).toBe(false);
    resolve();
    await Promise.all(earlier);
    expect(await asked).toBe(200);
  },
);
