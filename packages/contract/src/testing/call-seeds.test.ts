import { expect, test } from "vitest";
import { type CallName, NAMED_CALLS, callSeeds, seedIds } from "./call-seeds.ts";

const seeds = callSeeds(seedIds({ sdkSession: "a session" }));

test.each(Object.keys(seeds) as CallName[])("the request to %s is well-formed", (name) => {
  const call = NAMED_CALLS[name];
  const { method, path, query, body } = seeds[name];
  expect(method).toBe(call.method);
  expect(path).not.toMatch(/[{}]|\/\//);
  if (call.query) expect(call.query.safeParse(query ?? {}).error).toBeUndefined();
  if (call.body) expect(call.body.safeParse(body).error).toBeUndefined();
  expect([name, call.query === undefined && query !== undefined]).toEqual([name, false]);
  expect([name, call.body === undefined && body !== undefined]).toEqual([name, false]);
});

const WRONG = [undefined, null, 0, "x", "__proto__", [], {}, { kind: "html" }];

/** Each value in which one field, at any depth, is missing or of another type. */
function* damaged(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const other of damaged(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }
}

test.each(Object.keys(seeds) as CallName[])("whatever is wrong in a request to %s, its rules do not throw", (name) => {
  const { query, body } = NAMED_CALLS[name];
  for (const wrong of damaged(seeds[name].body)) expect(() => body?.safeParse(wrong)).not.toThrow();
  for (const wrong of damaged(seeds[name].query)) expect(() => query?.safeParse(wrong)).not.toThrow();
});
