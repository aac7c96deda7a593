import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { NoticeOutbox } from "./notice-outbox.ts";
import { NoticeSender } from "./notice-sender.ts";
import { rowsOnDisk } from "./testing/rows-on-disk.ts";

const AWAITED = { timeout: 60_000, interval: 20 };

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "notices-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** `origins` by bidder. */
async function outboxIn(dir: string, origins: Record<string, string>): Promise<NoticeOutbox> {
  const sender = new NoticeSender((bidder) => new Set([origins[bidder] ?? []].flat()), silentLog);
  const outbox = new NoticeOutbox(sender, systemClock, silentLog);
  await outbox.open(dir);
  onTestFinished(() => outbox.close());
  return outbox;
}

/** A bidder that records notices and replies with a status, or not at all if it is 0. */
async function bidder(answer: (path: string) => number) {
  const heard: string[] = [];
  const origin = await serveHttp((request, reply) => {
    const path = request.url ?? "";
    heard.push(path);
    const status = answer(path);
    if (status > 0) reply.writeHead(status).end();
  });
  return { heard, origin };
}

/** Without repeats: on a busy machine a late reply causes a retry. */
const each = (paths: readonly string[]) => [...new Set(paths)].toSorted();

const upTo = (count: number, path: string) => Array.from({ length: count }, (_, nth) => `${path}/${nth}`).toSorted();

test("unanswered notices survive a kill, and answered ones are not sent again", { timeout: 240_000 }, async () => {
  const dir = await newDir();
  let isSilent = true;
  // Two hosts: requests to one share its connections, and would wait for the silent ones.
  const [quick, silent] = [await bidder(() => 204), await bidder(() => (isSilent ? 0 : 204))];
  const origins = { quick: quick.origin, silent: silent.origin };
  const script = join(import.meta.dirname, "fixtures/send-until-killed.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, dir, quick.origin, silent.origin], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  await vi.waitFor(() => expect(each(quick.heard)).toHaveLength(50), AWAITED);
  await vi.waitFor(async () => expect(await rowsOnDisk(dir, /\{"id":"[0-9a-f-]{36}"\}/g)).toBe(50), AWAITED);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(quick.heard.some((path) => path.startsWith("/held"))).toBe(false);

  isSilent = false;
  quick.heard.length = silent.heard.length = 0;
  const outbox = await outboxIn(dir, origins);
  await vi.waitFor(() => expect(each(quick.heard)).toEqual(upTo(20, "/held")), AWAITED);
  await vi.waitFor(() => expect(each(silent.heard)).toEqual(upTo(20, "/silent")), AWAITED);
  // A beacon that is repeated after the crash brings the same notices.
  expect(await outbox.hold({ kind: "billing", url: `${quick.origin}/held/7`, bidder: "quick" }, "held 7")).toBeNull();
  await outbox.drain();
  await outbox.close();

  await outboxIn(dir, origins);
  await new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
  expect([quick.heard.length, each(silent.heard).length]).toEqual([20, 20]);
});

test("notices left by a stop are sent after the next start", async () => {
  const dir = await newDir();
  let status = 0;
  const { heard, origin } = await bidder(() => status);
  const first = await outboxIn(dir, { b: origin });
  first.send({ kind: "billing", url: `${origin}/bill`, bidder: "b" });
  await vi.waitFor(() => expect(heard).toEqual(["/bill"]), AWAITED);
  await first.close();
  status = 204;
  const second = await outboxIn(dir, { b: origin });
  await vi.waitFor(() => expect(heard).toEqual(["/bill", "/bill"]), AWAITED);
  await second.drain();
});

test("a failing notice is tried three times, and one with a bad address once", { timeout: 240_000 }, async () => {
  const { heard, origin } = await bidder((path) => (path === "/failing" ? 503 : 404));
  const outbox = await outboxIn(await newDir(), { b: origin });
  for (const path of ["/failing", "/gone"]) outbox.send({ kind: "billing", url: `${origin}${path}`, bidder: "b" });
  await vi.waitFor(() => expect(heard.filter((path) => path === "/failing")).toHaveLength(3), AWAITED);
  await new Promise((resolve) => {
    setTimeout(resolve, 2500);
  });
  expect(heard.toSorted()).toEqual(["/failing", "/failing", "/failing", "/gone"]);
});

test("a held notice is sent once, or never if it is cancelled", async () => {
  const { heard, origin } = await bidder(() => 204);
  const outbox = await outboxIn(await newDir(), { b: origin });
  const hold = (id: string) => outbox.hold({ kind: "billing", url: `${origin}/${id}`, bidder: "b" }, id);
  const [kept, failed] = [await hold("kept"), await hold("failed")];
  expect(await hold("kept")).toBeNull();
  failed?.cancel();
  kept?.send();
  await outbox.drain();
  // Its id can be held again.
  (await hold("failed"))?.send();
  await outbox.drain();
  expect(heard).toEqual(["/kept", "/failed"]);
});

test("notices that cannot be kept on disk are logged once, not each", async () => {
  const warnings: object[] = [];
  const { origin } = await bidder(() => 204);
  const sender = new NoticeSender(() => new Set([origin]), silentLog);
  const outbox = new NoticeOutbox(sender, systemClock, {
    ...silentLog,
    warn: (facts, text) => void (text.startsWith("a notice could not be kept") && warnings.push(facts)),
  });
  await outbox.open(await newDir());
  // Its journal takes no more.
  await outbox.close();
  const held = Array.from({ length: 20 }, (_, nth) =>
    outbox.hold({ kind: "billing", url: `${origin}/${nth}`, bidder: "b" }, `${nth}`),
  );
  for (const one of await Promise.all(held)) one?.cancel();
  expect(warnings).toMatchObject([{ kind: "billing" }]);
});

test("a hashed advertising id is sent, with each try, and is never on disk", { timeout: 60_000 }, async () => {
  const dir = await newDir();
  const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
  let answers = 0;
  const tracker = await bidder(() => (answers++ === 0 ? 500 : 204));
  const outbox = await outboxIn(dir, { tracker: tracker.origin });
  const url = `${tracker.origin}/seen?d={device_id_sha1}&c=%7Bdevice_id_sha1%7D`;
  const held = await outbox.hold({ kind: "billing", url, bidder: "tracker", deviceSha1: sha1 }, "billing 1");
  expect(await rowsOnDisk(dir, /seen\?d=\{device_id_sha1\}/g)).toBe(1);
  held?.send();
  await vi.waitFor(() => expect(tracker.heard).toHaveLength(1), AWAITED);
  // The second try comes when its row leaves the journal.
  await outbox.drain();
  expect(new Set(tracker.heard)).toEqual(new Set([`/seen?d=${sha1}&c=${sha1}`]));
  expect(await rowsOnDisk(dir, new RegExp(sha1, "g"))).toBe(0);
});
