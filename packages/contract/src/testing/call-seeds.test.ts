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
