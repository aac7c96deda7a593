import { afterEach, expect, test } from "vitest";
import { someSession } from "../../testing/some-session.ts";
import { putOffTerms, unlessPutOff } from "./put-off-terms.ts";

afterEach(() => sessionStorage.clear());

const known = someSession();
const asked = { ...known, globalConfig: { ...known.globalConfig, show_agreement: 1 as const } };

test("postponing the terms hides the prompt in this tab, and pending steps continue", () => {
  expect(unlessPutOff(asked).globalConfig.show_agreement).toBe(1);
  putOffTerms(asked.uuid);
  expect(unlessPutOff(asked)).toEqual({ ...asked, globalConfig: { ...asked.globalConfig, show_agreement: 0 } });
});

test("another user in the same tab is asked", () => {
  putOffTerms("00000000-0000-4000-8000-0000000000bb");
  expect(unlessPutOff(asked)).toBe(asked);
});
