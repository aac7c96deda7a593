import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clearDemoData } from "./clear-demo-data.ts";
import { freePort } from "./platform/http/free-port.ts";
import { openJournal } from "./platform/journal/journal.ts";
import { silentLog } from "./platform/log.ts";
import { filesAt } from "./platform/files/files-in-bucket.ts";
import { readSettings } from "./platform/settings.ts";
import { testStores } from "./platform/testing/stores.ts";
import { testBucket } from "./platform/testing/test-bucket.ts";
import { ALL_ROLES } from "./roles.ts";
import { startExchanges } from "./start-exchanges.ts";
import { startPlatform } from "./start-platform.ts";

const { pg, clickhouse } = await testStores();
const bucket = await testBucket();
const dataDir = await mkdtemp(join(tmpdir(), "millrace-clear-"));
afterAll(() => rm(dataDir, { recursive: true }));

test("a platform does not start without the demo while the demo's accounts are there, and says how to delete them", async () => {
  const settings = readSettings({
    HOST: "127.0.0.1",
    PORT: String(await freePort("127.0.0.1")),
    DATA_DIR: dataDir,
    DATABASE_URL: pg.url,
    CLICKHOUSE_URL: clickhouse.url,
    LOG_LEVEL: "silent",
  });
  await pg.pool.query("INSERT INTO accounts (name, demo) VALUES ('Demo', true)");
  const refused =
    "The demo's accounts and its made-up money are still here: run `npx millrace demo clear` to delete them, or start with MILLRACE_DEMO=1.";
  const folder = join(dataDir, "refused");
  await expect(startPlatform({ ...settings, dataDir: folder })).rejects.toThrow(refused);
  const several = { ...settings, dataDir: join(dataDir, "several"), exchanges: 2, redisUrl: "redis://127.0.0.1:1" };
  await expect(startExchanges(several, ALL_ROLES)).rejects.toThrow(refused);
  await clearDemoData(settings);
  const platform = await startPlatform(settings);
  await platform.stop();
}, 60_000);

test.each([
  ["the data directory", {}],
  ["a bucket", { FILES_URL: bucket.url }],
])("clearing the demo deletes what it had uploaded to %s, and nobody else's files", async (_, env) => {
  const settings = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: pg.url,
    CLICKHOUSE_URL: clickhouse.url,
    MILLRACE_DEMO: "0",
    LOG_LEVEL: "silent",
    ...env,
  });
  const files = filesAt(settings.filesUrl, join(dataDir, "files"));
  const upload = async (isDemo: boolean, text: string) => {
    const file = await files.put(Buffer.from(text), "png");
    await pg.pool.query(
      `WITH a AS (INSERT INTO accounts (name, demo) VALUES ('Studio', $1) RETURNING id)
       INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at) SELECT id, $2, 1, 1, 1, now(), now() FROM a`,
      [isDemo, file],
    );
    return file;
  };
  const [ofDemo, ofOther] = [await upload(true, "of the demo"), await upload(false, "of a studio")];
  await clearDemoData(settings);
  expect(await files.sizeOf(ofDemo)).toBeUndefined();
  expect(await files.sizeOf(ofOther)).toBe("of a studio".length);
});

test("the demo's rows in the journals of killed exchange processes do not come back after the clearing", async () => {
  const folder = join(dataDir, "killed");
  const settings = readSettings({
    DATA_DIR: folder,
    DATABASE_URL: pg.url,
    CLICKHOUSE_URL: clickhouse.url,
    LOG_LEVEL: "silent",
  });
  const journalDir = join(folder, "exchange-1", "journal");
  await mkdir(journalDir, { recursive: true });
  const away = () => Promise.reject(new Error("away"));
  const killed = await openJournal(journalDir, { ship: away, log: silentLog });
  await killed.append("events", { event_id: randomUUID(), kind: "session", at: "2026-03-01 10:00:00" });
  await killed.close(0);
  await clearDemoData(settings);
  const left = await openJournal(journalDir, { ship: away, log: silentLog });
  expect(left.backlog().segments).toBe(0);
  await left.close(0);
}, 60_000);
