import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { siteStates } from "./site-states.ts";

const ACCOUNT = 7;
const MINUTE_MS = 60_000;

function world() {
  const at = {
    nowMs: 0,
    domain: "studio.example" as string | null,
    isComplete: async () => false,
    checks: 0,
  };
  const states = siteStates({
    clock: { now: () => at.nowMs },
    log: silentLog,
    domainOf: async () => at.domain,
    hasAllLines: async () => {
      at.checks++;
      return at.isComplete();
    },
  });
  const state = async () => {
    const said = await states.of(ACCOUNT);
    await states.settle();
    return said;
  };
  return { at, states, state };
}

test("an account without a site is never checked", async () => {
  const { at, state } = world();
  at.domain = null;
  expect([await state(), at.checks]).toEqual(["no_site", 0]);
});

test("a page never waits for a site, and a missing file is looked for once a minute until it is there", async () => {
  const { at, state } = world();
  expect([await state(), await state(), await state(), at.checks]).toEqual(["checking", "missing", "missing", 1]);
  at.nowMs += MINUTE_MS;
  at.isComplete = async () => true;
  expect([await state(), await state(), at.checks]).toEqual(["missing", "found", 2]);
  at.nowMs += MINUTE_MS;
  expect([await state(), at.checks]).toEqual(["found", 2]);
});

test("another site starts anew, and what somebody found out by hand is known at once", async () => {
  const { at, states, state } = world();
  states.note(ACCOUNT, "studio.example", true);
  expect([await state(), at.checks]).toEqual(["found", 0]);
  at.domain = "other.example";
  expect([await state(), await state()]).toEqual(["checking", "missing"]);
});

test("a check that fails is tried again, and does not fail the page", async () => {
  const { at, state } = world();
  at.isComplete = () => Promise.reject(new Error("The store is away"));
  expect([await state(), await state(), at.checks]).toEqual(["checking", "checking", 2]);
});

test("few sites are read at the same time", async () => {
  const { at, states } = world();
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  at.isComplete = () => answered.then(() => true);
  for (let account = 1; account <= 20; account++) await states.of(account);
  expect(at.checks).toBe(4);
  answer();
  await states.settle();
  expect(await states.of(1)).toBe("found");
});
