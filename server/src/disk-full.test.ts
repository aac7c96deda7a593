import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TEXTS } from "@millrace/contract";
import { expect, onTestFinished, test } from "vitest";
import { buildServer } from "./platform/http/build-server.ts";
import { freePort } from "./platform/http/free-port.ts";
import { MIB, freeBytes } from "./platform/disk-space.ts";
import { silentLog } from "./platform/log.ts";
import { readSettings } from "./platform/settings.ts";
import { fillDisk, smallDisk } from "./platform/testing/small-disk.ts";
import { startPlatform } from "./start-platform.ts";

function diskForTest(sizeMib: number): string | null {
  const disk = smallDisk(sizeMib);
  if (disk) onTestFinished(disk.release);
  return disk?.dir ?? null;
}

test("a first start without enough space names the missing space", async ({ skip }) => {
  const dir = diskForTest(20);
  if (dir === null) return skip("only root may mount a disk");
  const settings = readSettings({ PORT: "0", DATA_DIR: join(dir, "data"), MILLRACE_DEMO: "0", LOG_LEVEL: "silent" });
  await expect(startPlatform(settings)).rejects.toThrow(/has (19|20) MB of free space, and a first start needs 200 MB/);
});

test("a full disk fails /readyz and no event is acknowledged; with space everything works again", async ({ skip }) => {
  const dir = diskForTest(700);
  if (dir === null) return skip("only root may mount a disk");
  const port = String(await freePort("127.0.0.1"));
  const platform = await startPlatform(
    readSettings({
      PORT: port,
      DATA_DIR: join(dir, "data"),
      MILLRACE_DEMO: "0",
      LOG_LEVEL: "silent",
      TRUSTED_PROXIES: "1",
    }),
  );
  onTestFinished(() => platform.stop());
  const ready = async () => {
    const reply = await fetch(`${platform.url}/readyz`);
    return { status: reply.status, ...((await reply.json()) as { parts: Record<string, string> }) };
  };
  // A forged beacon is also an event and is stored as invalid; each from its own address, since a flood from one is only counted.
  let sent = 0;
  const beacon = async () => {
    sent++;
    const headers = { "x-forwarded-for": `203.0.${Math.floor(sent / 250) % 250}.${sent % 250}` };
    return (await fetch(`${platform.url}/beacon/impression?t=forged`, { headers })).status;
  };
  const serves = async () => (await fetch(`${platform.url}/servez`)).ok;
  expect(await ready()).toMatchObject({ status: 200, parts: { configuration: "ok", disk_space: "ok" } });
  expect(await serves()).toBe(true);
  expect(await beacon()).toBe(400);

  await fillDisk(join(dir, "ballast"));
  expect(await freeBytes(dir)).toBeLessThan(MIB);
  await expect.poll(ready).toMatchObject({ status: 503, parts: { disk_space: "down" } });
  expect(await serves()).toBe(false);
  // Uses up the space that the stores and the journal have reserved: a new segment every ten seconds.
  await expect.poll(beacon, { timeout: 120_000, interval: 5 }).toBe(503);

  await rm(join(dir, "ballast"));
  await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 200, parts: { disk_space: "ok" } });
  await expect.poll(beacon, { timeout: 60_000 }).toBe(400);
}, 300_000);

test.each([
  ["is full", Object.assign(new Error("could not extend file base/5/16384"), { code: "53100" })],
  ["has no connection left", Object.assign(new Error("sorry, too many clients already"), { code: "53300" })],
  ["is away", new Error("query failed", { cause: Object.assign(new Error("secret"), { code: "ECONNREFUSED" }) })],
])("a store that %s gives 503 without its error message", async (_, failure) => {
  const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  onTestFinished(() => app.close());
  app.get("/fails", async () => {
    throw failure;
  });
  const reply = await app.inject({ method: "GET", url: "/fails" });
  expect([reply.statusCode, reply.json()]).toEqual([503, { error: TEXTS.unavailable }]);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
});
