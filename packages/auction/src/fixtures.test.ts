import { readdirSync, readFileSync } from "node:fs";
import { validateBidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import type { AuctionInput } from "./input.ts";
import type { PartnerResponse } from "./response.ts";
import { decideAuction } from "./decide-auction.ts";
import { encodeTrace, replay, traceOf } from "./trace.ts";

interface Fixture {
  input: AuctionInput;
  responses: PartnerResponse[];
  /** The part of the decision that the fixture is about. Lists are complete. */
  decision: object;
}

const folder = new URL("../fixtures/", import.meta.url);
const fixtures = readdirSync(folder).map((file) => {
  const fixture = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Fixture;
  return [file.replace(".json", "").replaceAll("-", " "), fixture] as const;
});

test.each(fixtures)("%s", (_, { input, responses, decision }) => {
  expect(validateBidRequest(input.request)).toMatchObject({ ok: true });
  const before = JSON.stringify([input, responses]);
  const settled = decideAuction(input, responses);
  expect(settled).toMatchObject(decision);
  expect(decideAuction(input, [...responses].reverse())).toEqual(settled);
  expect(JSON.stringify([input, responses])).toBe(before);
  expect(replay(encodeTrace(traceOf(input, responses)))).toMatchObject({ same: true, path: null });
});
