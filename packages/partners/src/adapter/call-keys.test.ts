import type { BidRequest, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { requestsOf } from "../requests-of.ts";
import { defineAdapter } from "./define-adapter.ts";
import { plusExt } from "./imp-changes.ts";

interface SharedKeys {
  a?: string;
  all?: boolean;
}

/** Its calls say whose keys they have, whether `all` counts, and which keys come from earlier imps. */
const keysAdapter = (split: "single" | "per-imp-media-type", keysOf: "first" | "last" | "first-non-empty") =>
  defineAdapter<SharedKeys>({
    id: "x",
    name: "X",
    mediaTypes: ["banner", "video"],
    endpoint: "https://x.example.com",
    keys: { properties: { a: { type: "string", title: "A" } }, required: [], aliases: { old: "a" } },
    split,
    keysOf,
    sharedKey: "all",
    plan: ({ a, all = false }, { typed }) => ({
      query: { a },
      imp: { ext: plusExt({ all, typed }) },
      request: { badv: (_, { keysBefore }) => keysBefore().map((keys) => (keys as SharedKeys).a ?? "") },
    }),
  });

const imp = (id: string, bidder: object, media: Partial<Imp> = { banner: {} }): Imp => ({
  id,
  ...media,
  ext: { bidder },
});

function callsOf(adapter: ReturnType<typeof keysAdapter>, imps: Imp[]) {
  const made = requestsOf(adapter, { id: "r", imp: imps });
  return "code" in made ? [] : made.map(({ url, body }) => ({ url, ...(JSON.parse(body) as BidRequest) }));
}

test.each([
  ["first", ""],
  ["last", "?a=z"],
  ["first-non-empty", "?a=y"],
] as const)("the keys of a call are the %s of its imps, under any of their names", (keysOf, query) => {
  const imps = [imp("1", { a: "" }), imp("2", { old: "y" }), imp("3", { a: "z" }), imp("4", { a: "" })];
  expect(callsOf(keysAdapter("single", keysOf), imps)[0]?.url).toBe(`https://x.example.com${query}`);
});

test("a plan sees the names that the publisher used", () => {
  const [call] = callsOf(keysAdapter("single", "first"), [imp("1", { old: "y" })]);
  expect(call?.imp[0]?.ext).toEqual({ all: false, typed: { old: "y" } });
  expect(call?.url).toBe("https://x.example.com?a=y");
});

test("a shared key of one imp counts for all", () => {
  const imps = [imp("1", { a: "x" }), imp("2", { a: "y", all: true }), imp("3", { a: "z", all: false })];
  const [call] = callsOf(keysAdapter("single", "first"), imps);
  expect(call?.imp.map(({ ext }) => ext?.["all"])).toEqual([true, true, true]);
  const [other] = callsOf(keysAdapter("single", "first"), imps.toSpliced(1, 1));
  expect(other?.imp.map(({ ext }) => ext?.["all"])).toEqual([false, false]);
});

test("a call knows the keys of earlier imps, each once however many calls an imp has", () => {
  const both = { banner: {}, video: { mimes: ["video/mp4"] } };
  const calls = callsOf(keysAdapter("per-imp-media-type", "first"), [
    imp("1", { a: "x" }, both),
    imp("2", { a: "y" }, both),
  ]);
  expect(calls.map(({ badv }) => badv)).toEqual([[], [], ["x"], ["x"]]);
});
