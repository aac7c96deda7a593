import * as fc from "fast-check";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { compileKotlin, runKotlin } from "./testing/compile-kotlin.ts";
import { findJava } from "./testing/find-java.ts";

interface Result {
  group: string;
  name: string;
  failure?: string;
}

const vectors = fileURLToPath(new URL("../../packages/sdk/vectors", import.meta.url));
let results: Result[] = [];
let texts: string[] = [];
let read: string[] = [];

beforeAll(async () => {
  texts = jsonTexts();
  const java = findJava();
  const classes = await compileKotlin(java);
  const dir = await mkdtemp(path.join(tmpdir(), "millrace-kotlin-"));
  try {
    const file = path.join(dir, "texts");
    // UTF-16, because texts may have lone surrogates, which UTF-8 has not.
    await writeFile(file, texts.map((text) => Buffer.from(text, "utf16le").toString("base64")).join("\n"));
    const printed = await runKotlin(java, classes, "millrace.core.MainKt", [vectors, file]);
    results = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Result);
    read = (await readFile(`${file}.read`, "utf8")).split("\n").slice(0, -1);
  } finally {
    await rm(dir, { recursive: true });
  }
}, 600_000);

test.each([
  "json",
  "vectors",
  "faults",
  "sdk",
  "banners",
  "unseen places",
  "sessions",
  "delivery",
  "mediation",
  "consent",
])("the Kotlin core passes its own tests: %s", (group) => {
  const own = results.filter((result) => result.group === group);
  expect(own.length).toBeGreaterThan(2);
  expect(own.filter(({ failure }) => failure !== undefined)).toEqual([]);
});

test("every vector that the web SDK replays ends the same way in Kotlin", async () => {
  const load = async (name: string) =>
    JSON.parse(await readFile(path.join(vectors, name), "utf8")) as { name: string; ends: string }[];
  const answers = (await load("answers.json")).map(({ name, ends }) => `${name}: ${ends}`);
  const requests = (await load("requests.json")).map(({ name }) => `sends: ${name}`);
  const replayed = results.filter(({ group, failure }) => group === "vectors" && failure === undefined);
  expect(replayed.map(({ name }) => name)).toEqual([...answers, ...requests]);
});

test("the Kotlin core reads and refuses the same JSON as JavaScript does", () => {
  const wrong = texts.filter((text, index) => normal(read[index] ?? "") !== normal(text));
  expect(read).toHaveLength(texts.length);
  expect(wrong).toEqual([]);
  const refused = read.filter((line) => line === "!").length;
  expect(refused).toBeGreaterThan(texts.length / 10);
  expect(refused).toBeLessThan((texts.length * 9) / 10);
});

function normal(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return "!";
  }
}

/** Characters that mean something to a reader, or to nobody. */
const ODD = '{}[]",:\\0123.eE+-tfnu \t\n\u0000\ud800'.split("");

/** Correct JSON, JSON with one character too many, too few or changed, and what readers often get wrong. */
function jsonTexts(): string[] {
  const honest = fc.sample(fc.oneof(fc.json(), fc.json({ stringUnit: "binary" })), 1000);
  const spoiled = fc
    .sample(fc.tuple(fc.json(), fc.nat(), fc.constantFrom("", ...ODD)), 2000)
    .map(([text, at, char]) => {
      const place = at % text.length;
      return text.slice(0, place) + char + text.slice(place + (at % 3 === 0 ? 0 : 1));
    });
  const known = [
    "",
    " ",
    "01",
    "-",
    "-0",
    "1.",
    ".5",
    "1e5",
    "1E+400",
    "1e-400",
    "+1",
    "NaN",
    "Infinity",
    "[1,]",
    "{,}",
    '{"a":1,}',
  ];
  const strings = [
    '"\t"',
    '"\\x"',
    '"\\u12g4"',
    '"\\ud800"',
    '"\\/"',
    "'a'",
    '"\u007f"',
    '"\u2028"',
    '"a',
    "\ufeff1",
    "1\u0000",
  ];
  const objects = [
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '{"a" : [ true , null ] }',
    "{a:1}",
    "[1 2]",
    "nul",
    "truee",
    "[]]",
    "\u00a01",
  ];
  return [...honest, ...spoiled, ...known, ...strings, ...objects];
}
