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
import { Notices } from "./notices.ts";
import { OpenAnswers, type Returned } from "./open-answers.ts";
import { openedToken } from "./testing/answered-auction.ts";
import { rowsOnDisk } from "./testing/rows-on-disk.ts";

const LIFE_MS = 1000;
const ad = (candidateId: string): Returned => ({
  impId: "1",
  candidateId,
  provider: "bidder",
  macros: {},
  lurl: `https://bidder.example/${candidateId}`,
});

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "answers-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function answersIn(dir: string, now = () => Date.now(), lifeMs = 60_000): Promise<OpenAnswers> {
  const answers = new OpenAnswers({ now }, lifeMs);
  await answers.open(dir, silentLog);
  onTestFinished(() => answers.close());
  return answers;
}
const takeAll = (answers: OpenAnswers, auctionId: string) =>
  answers.take(auctionId, () => true)?.ads.map(({ candidateId }) => candidateId) ?? null;

test(
  "after a kill the other ads of a response get their loss notices, except those sent before it",
  { timeout: 60_000 },
  async () => {
    const heard: string[] = [];
    const origin = await serveHttp((request, reply) => {
      heard.push(request.url ?? "");
      reply.writeHead(204).end();
    });
    const dir = await newDir();
    const script = join(import.meta.dirname, "fixtures/answer-until-killed.ts");
    const child = spawn(process.execPath, ["--import", "tsx", script, dir, origin, "20", "5"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const paths = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => `/second/${from + nth}`);
    expect(heard.toSorted()).toEqual(paths(0, 5).toSorted());
    const patterns = [/"auctionId":/g, /\{"ad":/g, /\{"id":"[^"]+"\}/g];
    const onDisk = () => Promise.all(patterns.map((pattern) => rowsOnDisk(dir, pattern)));
    // All answers, both ads of five taken, and five notices finished: a notice not yet marked as finished would be sent again.
    await vi.waitFor(async () => expect(await onDisk()).toEqual([20, 10, 5]), { timeout: 30_000 });
    child.kill("SIGKILL");
    await once(child, "exit");

    heard.length = 0;
    const outbox = new NoticeOutbox(new NoticeSender(() => new Set([origin]), silentLog), systemClock, silentLog);
    await outbox.open(dir);
    onTestFinished(() => outbox.close());
    const notices = new Notices(outbox, await answersIn(join(dir, "answers")));
    for (let nth = 0; nth < 19; nth++)
      await notices.withImpressions([openedToken(`a${nth}`, 0)], async () => undefined, 0);
    // Of the last one the first ad could not be shown.
    notices.onLoss(openedToken("a19", 0).facts);
    await outbox.drain();
    expect(heard.toSorted()).toEqual([...paths(5, 19), "/first/19"].toSorted());
  },
);

test("taken ads wait again if their impression was not stored, also after a restart", async () => {
  const dir = await newDir();
  const answers = await answersIn(dir);
  answers.add("a1", [ad("0"), ad("1")]);
  const taken = answers.take("a1", ({ candidateId }) => candidateId === "1");
  expect(takeAll(answers, "a1")).toEqual(["0"]);
  if (taken) answers.putBack(taken);
  await answers.close();
  const next = await answersIn(dir);
  // The first is in the hands of whoever took it.
  expect(takeAll(next, "a1")?.toSorted()).toEqual(["1"]);
});

test("responses are forgotten once their beacons have expired, also those read at the start", async () => {
  const dir = await newDir();
  let now = 0;
  const answers = await answersIn(dir, () => now, LIFE_MS);
  answers.add("old", [ad("0")]);
  now = LIFE_MS / 2;
  answers.add("young", [ad("0")]);
  now = LIFE_MS;
  answers.forget();
  expect(takeAll(answers, "old")).toBeNull();
  await answers.close();
  const next = await answersIn(dir, () => now, LIFE_MS);
  expect(takeAll(next, "old")).toBeNull();
  expect(takeAll(next, "young")).toEqual(["0"]);
});
