import { sdkAd, sdkInit, sdkPing } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { readAd, readInit, readPing } from "./read-calls.ts";

const UUID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const device = {
  os: "android",
  osv: "15",
  ifa: UUID,
  lmt: 0,
  att_status: 3,
  w: 1080,
  h: 2400,
  pxratio: 2.5,
  connectiontype: 2,
  ua: "x",
  language: "en",
};
const consent = { gdpr: 1, tcf: "C", us_privacy: "1YNN", gpp: "D", gpp_sid: [2], coppa: 0 };
const calls = [
  [
    sdkInit,
    readInit,
    {
      app: UUID,
      platform: "android",
      sdk_version: "1.0.0",
      install_id: UUID,
      first_day: "2026-11-19",
      device,
      consent,
    },
  ],
  [
    sdkAd,
    readAd,
    {
      session: "s",
      zone: "main",
      format: "banner",
      w: 320,
      h: 50,
      test: 1,
      user_id: "u",
      custom_data: "level=3",
      bidder_tokens: { vungle: "token" },
      debug: { token: "t", provider: "lab-steady" },
      device,
      consent,
    },
  ],
  [sdkPing, readPing, { session: "s", seq: 1, seconds: 30 }],
] as const;

test.each([".", ".."])("the zone %s is refused, because no address can end in it", (zone) => {
  expect(() => readAd(JSON.stringify({ session: "s", zone, format: "banner", w: 320, h: 50 }))).toThrow(Problem);
  expect(sdkAd.body.safeParse({ session: "s", zone, format: "banner", w: 320, h: 50 }).success).toBe(false);
});

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    "",
    "0",
    "x".repeat(70),
    "x".repeat(11_000),
    [],
    {},
    [1],
    ["a"],
    -1,
    0,
    1,
    1.5,
    1e300,
    2 ** 53,
    8,
    1801,
    100_001,
  ),
  fc.constantFrom(
    UUID,
    UUID.toUpperCase(),
    UUID.replace("4d01", "9d01"),
    UUID.replace("b42d", "c42d"),
    "1.0",
    "1.0.0",
    "1.0.0.0",
    "123456.1.1",
    "a b",
    "a.b:c-_",
  ),
  fc.constantFrom("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", Array(51).fill(1)),
  fc.jsonValue(),
);

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function changed(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  const inner = changed((copy as Record<string, unknown>)[key], rest, to);
  if (inner === undefined) delete (copy as Record<string, unknown>)[key];
  else (copy as Record<string, unknown>)[key] = inner;
  return copy;
}

function faultsOf(read: (body: unknown) => unknown, body: string): string[] {
  try {
    read(body);
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || typeof error.error === "string") throw error;
    expect(error.status).toBe(400);
    return Object.keys(error.error).sort();
  }
}

test.each(calls)("the hand-written check of $path agrees with the contract, field by field", (call, read, good) => {
  const paths = pathsOf(good);
  expect(faultsOf(read, JSON.stringify(good))).toEqual([]);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...paths), fc.oneof(fc.constant(undefined), odd)), { maxLength: 3 }),
      (changes) => {
        let body: unknown = good;
        for (const [path, to] of changes) {
          if (typeof body === "object" && body !== null && !Array.isArray(body)) body = safely(body, path, to);
        }
        const json = JSON.stringify(body);
        if (json === undefined) return;
        const parsed = call.body.safeParse(JSON.parse(json));
        const wanted = parsed.success
          ? []
          : [...new Set(parsed.error.issues.map(({ path }) => path.join(".") || "body"))].sort();
        expect(faultsOf(read, json)).toEqual(wanted);
      },
    ),
    { numRuns: 3000 },
  );
});

/** Changes a value unless an earlier change has removed its path. */
function safely(body: unknown, path: readonly string[], to: unknown): unknown {
  let at: unknown = body;
  for (const key of path.slice(0, -1)) {
    if (typeof at !== "object" || at === null) return body;
    at = (at as Record<string, unknown>)[key];
  }
  return path.length > 0 && (typeof at !== "object" || at === null) ? body : changed(body, path, to);
}

test("a body that is not JSON is refused with a message", () => {
  for (const body of ["", "{", "nonsense", undefined]) expect(() => readPing(body)).toThrow("body:");
});
