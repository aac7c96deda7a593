import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TEXTS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { PASSWORD, newOwner } from "../testing/accounts-server.ts";
import { connectPostgres } from "../../../platform/postgres/connect-postgres.ts";
import { startPostgres } from "../../../platform/postgres/start-postgres.ts";
import { fillDisk, smallDisk } from "../../../platform/testing/small-disk.ts";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { sessionOf, testPlatform } from "../../../testing/test-platform.ts";

const clickhouse = await testClickHouse();
const disk = smallDisk(300);
if (disk) afterAll(disk.release);

/** A platform with only PostgreSQL on the small disk. */
async function platformOn(dir: string) {
  const postgres = await startPostgres({ dir: join(dir, "postgres"), log: () => undefined });
  afterAll(postgres.stop);
  const pg = connectPostgres(postgres.url);
  afterAll(pg.close);
  return testPlatform({ pg: { ...pg, url: postgres.url }, clickhouse });
}
const platform = disk && (await platformOn(disk.dir));

test("signing in on a full disk is answered 503, and works again once there is space", async ({ skip }) => {
  if (!disk || !platform) return skip("only root may mount a disk");
  const email = "somebody@example.com";
  const owner = await newOwner(platform.pool, email);
  const signIn = () => platform.ask({}, "POST", "/login.json", { email, password: PASSWORD });
  expect((await signIn()).status).toBe(200);

  const ballast = join(disk.dir, "ballast");
  await fillDisk(ballast);
  // Fills up the pages of the sessions table, so that the next insert needs a new one.
  const fillPages = async () => {
    for (;;) await sessionOf(platform.pool, owner);
  };
  await expect(fillPages()).rejects.toMatchObject({ code: "53100" });
  const refused = await signIn();
  expect([refused.status, refused.body, refused.cookie]).toEqual([503, { error: TEXTS.unavailable }, undefined]);

  await rm(ballast);
  await expect.poll(async () => (await signIn()).status, { timeout: 30_000 }).toBe(200);
}, 120_000);
