import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clearDemoData } from "./clear-demo-data.ts";
import { filesAt } from "./platform/files/files-in-bucket.ts";
import { readSettings } from "./platform/settings.ts";
import { testStores } from "./platform/testing/stores.ts";
import { testBucket } from "./platform/testing/test-bucket.ts";

const { pg, clickhouse } = await testStores();
const bucket = await testBucket();
const dataDir = await mkdtemp(join(tmpdir(), "millrace-clear-"));
afterAll(() => rm(dataDir, { recursive: true }));

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
