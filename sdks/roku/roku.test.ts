import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, expect, test } from "vitest";
import { buildRokuSdk } from "./build.ts";
import { channelSources, sdkSources } from "./channel-sources.ts";
import { compileRoku } from "./compile-roku.ts";
import { rokuSnippet } from "./snippet.ts";
import { runRokuTests } from "./testing/run-roku-tests.ts";

interface Result {
  group: string;
  name: string;
  failure?: string;
}

let results: Result[] = [];

beforeAll(async () => {
  const printed = await runRokuTests();
  results = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Result);
}, 600_000);

test.each(["vectors", "sdk", "sessions", "delivery", "mediation", "vast", "pictures", "faults"])(
  "the Roku SDK passes its own tests: %s",
  (group) => {
    const own = results.filter((result) => result.group === group);
    expect(own.length).toBeGreaterThan(2);
    expect(own.filter(({ failure }) => failure !== undefined)).toEqual([]);
  },
);

test("every vector that the web SDK replays ends the same way on Roku", async () => {
  const load = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../packages/sdk/vectors/${name}`, import.meta.url), "utf8")) as {
      name: string;
      ends: string;
    }[];
  const answers = (await load("answers.json")).map(({ name, ends }) => `${name}: ${ends}`);
  const requests = (await load("requests.json")).map(({ name }) => `sends: ${name}`);
  const replayed = results.filter(({ group, failure }) => group === "vectors" && failure === undefined);
  expect(replayed.map(({ name }) => name)).toEqual([...answers, ...requests]);
});

test("the sample channel compiles with the SDK without a diagnostic, and so does the snippet in its place", async () => {
  const channel = new Map([...(await sdkSources()), ...(await channelSources("sample"))]);
  const compiled = await compileRoku(channel);
  expect([...compiled.keys()].filter((path) => path.endsWith(".bs"))).toEqual([]);
  expect([...compiled.values()].join("\n")).not.toContain("bslib");
  const facts = { key: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", publicUrl: "https://ads.example.com" };
  await compileRoku(new Map([...channel, ["components/MainScene.brs", rokuSnippet(facts)]]));
});

test("a channel that is wrong does not compile: a missing script, a name that nobody has, a wrong count of arguments", async () => {
  const channel = await sdkSources();
  const task = channel.get("components/millrace/MillraceTask.xml") ?? "";
  const without = task.replace(/.*core\/walk\.bs.*\n/, "");
  expect(without).not.toBe(task);
  await expect(compileRoku(new Map([...channel, ["components/millrace/MillraceTask.xml", without]]))).rejects.toThrow(
    "walk.bs",
  );
  const wrong = "sub init()\n    nobody()\n    millrace()\nend sub\n";
  await expect(compileRoku(new Map([...channel, ["components/millrace/Millrace.bs", wrong]]))).rejects.toThrow(
    "nobody",
  );
});

test("the archive has the SDK in BrightScript below one folder, and the same sources give the same bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-roku-zip-"));
  try {
    await buildRokuSdk(folder);
    const bytes = await readFile(join(folder, "roku.zip"));
    const files = unzipSync(bytes);
    const paths = Object.keys(files);
    expect(paths.filter((path) => !/^components\/millrace\/.+\.(?:brs|xml|md)$/.test(path))).toEqual([]);
    // Every script that a component names is there.
    const text = (path: string) => strFromU8(files[path] ?? new Uint8Array());
    const named = paths
      .filter((path) => path.endsWith(".xml"))
      .flatMap((path) => [...text(path).matchAll(/uri="pkg:\/([^"]+)"/g)].map(([, script = ""]) => script));
    expect(named.length).toBeGreaterThan(30);
    expect(named.toSorted()).toEqual(paths.filter((path) => path.endsWith(".brs")).toSorted());
    await buildRokuSdk(folder);
    expect(Buffer.compare(await readFile(join(folder, "roku.zip")), bytes)).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
