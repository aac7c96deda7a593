import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Log } from "./platform/log.ts";
import { readSettings } from "./platform/settings.ts";
import { warnOfUnusedStores } from "./start-stores.ts";

const SERVERS = { DATABASE_URL: "postgres://db/millrace", CLICKHOUSE_URL: "http://ch/millrace" };

test("the log names embedded stores with data that servers replace", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stores-"));
  const warn = vi.fn<Log["warn"]>();
  const warnings = async (env: Record<string, string>) => {
    warn.mockClear();
    await warnOfUnusedStores(readSettings(env), dir, { warn });
    return warn.mock.calls.map(([, text]) => text.split(" ")[0]);
  };
  try {
    expect(await warnings(SERVERS)).toEqual([]);
    await mkdir(join(dir, "postgres", "cluster"), { recursive: true });
    await mkdir(join(dir, "clickhouse", "store"), { recursive: true });
    expect(await warnings({})).toEqual([]);
    expect(await warnings({ DATABASE_URL: SERVERS.DATABASE_URL })).toEqual(["DATABASE_URL"]);
    expect(await warnings(SERVERS)).toEqual(["DATABASE_URL", "CLICKHOUSE_URL"]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
