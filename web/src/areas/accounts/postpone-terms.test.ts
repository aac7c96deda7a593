import { afterEach, expect, test } from "vitest";
import { someSession } from "../../testing/some-session.ts";
import { postponeTerms, unlessPostponed } from "./postpone-terms.ts";

afterEach(() => sessionStorage.clear());

const known = someSession();
const asked = { ...known, globalConfig: { ...known.globalConfig, show_agreement: 1 as const } };

test("postponing the terms hides the prompt in this tab, and pending steps continue", () => {
  expect(unlessPostponed(asked).globalConfig.show_agreement).toBe(1);
  postponeTerms(asked.uuid);
  expect(unlessPostponed(asked)).toEqual({ ...asked, globalConfig: { ...asked.globalConfig, show_agreement: 0 } });
});

test("another user in the same tab is asked", () => {
  postponeTerms("00000000-0000-4000-8000-0000000000bb");
  expect(unlessPostponed(asked)).toBe(asked);
});
