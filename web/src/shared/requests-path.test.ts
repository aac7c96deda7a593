import { PAGES } from "@millrace/contract";
import { expect, test } from "vitest";
import { auctionPath, requestsPath } from "./requests-path.ts";

const uuid = "69e8f479-609e-4d5a-bb71-5e45e452bc07";

test("a link to requests has its filters and no others", () => {
  expect(requestsPath({ uuid })).toBe(PAGES.appRequests.path.replace("$uuid", uuid));
  expect(
    requestsPath({ uuid, ds: "2026-11-21", de: "2026-11-21", country: "US", format: ["video", "native"], zone: [] }),
  ).toBe(`/apps/${uuid}/requests?ds=2026-11-21&de=2026-11-21&country=US&format=video&format=native`);
  expect(requestsPath({ uuid, outcome: "no_ad", reason: "no_demand", partner: undefined })).toBe(
    `/apps/${uuid}/requests?outcome=no_ad&reason=no_demand`,
  );
});

test("a link to an auction names the imp if it is one of several", () => {
  expect(auctionPath(uuid)).toBe(PAGES.auction.path.replace("$id", uuid));
  expect(auctionPath(uuid, "imp 2")).toBe(`/auctions/${uuid}?imp=imp+2`);
});
