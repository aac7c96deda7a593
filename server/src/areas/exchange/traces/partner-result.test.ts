import { readFileSync } from "node:fs";
import { type AuctionInput, decideAuction, type PartnerResponse } from "@millrace/auction";
import { expect, test } from "vitest";
import { partnerResult } from "./partner-result.ts";

const FIXTURE = "packages/auction/fixtures/the-floor-for-a-videos-length-counts-instead-of-the-imps.json";
const { input, responses } = JSON.parse(
  readFileSync(new URL(`../../../../../${FIXTURE}`, import.meta.url), "utf8"),
) as { input: AuctionInput; responses: PartnerResponse[] };

test("a bid under the floor for its length names that floor, and one under a deal's that of the deal", () => {
  const { imps, bids } = decideAuction(input, responses);
  const [imp] = imps;
  if (!imp) throw new Error("the fixture has an imp");
  const textOf = (index: number) =>
    partnerResult(
      input,
      { imp, served: null },
      { participantId: "alpha", refusals: [], verdicts: bids.filter((verdict) => verdict.index === index), responses },
    ).text;
  expect([0, 2, 3, 4].map(textOf)).toEqual([
    "$18.0000 under the floor of $20.0000",
    "$1.0000 under the floor of $3.0000",
    "$0.1000 under the floor of $0.7000",
    "$0.5000 under its deal's floor of $1.0000",
  ]);
});
