import { listRequests } from "@millrace/contract";
import { expect, test } from "vitest";
import { DAYS, twoApps } from "./testing/two-apps.ts";

const { at, owner, other, tide } = await twoApps();

const get = (query: string, account = owner) => at.get(account, `/apps/${tide.uuid}/requests.json?${query}`);
const list = async (query: string) => listRequests.reply.parse((await get(query)).body);

/** All pages of a list. A busy store may cut a search off, and the next page continues it. */
async function listAll(query: string) {
  const requests = [];
  for (let before: string | null = ""; before !== null;) {
    const page = await list(query + (before === "" ? "" : `&before=${encodeURIComponent(before)}`));
    requests.push(...page.requests);
    before = page.older;
  }
  return requests;
}

test("an app's requests have names, outcome and price", async () => {
  const requests = await listAll(DAYS);
  expect(requests.map((row) => [row.at, row.zone_name, row.format, row.country])).toEqual([
    ["2024-11-19T10:10:00.000Z", "=1+1", "banner", "XX"],
    ["2024-11-19T10:00:00.000Z", "end", "video", "US"],
    ["2024-11-18T11:00:00.000Z", "=1+1", "banner", "DE"],
    ["2024-11-18T10:00:00.000Z", "=1+1", "banner", "US"],
  ]);
  expect(requests[0]).toMatchObject({
    no_ad: null,
    winner: { provider: "aurora", name: "Aurora Exchange" },
    price: 2_000_000,
    asked: 1,
    duration_ms: 12.5,
    traced: false,
  });
  expect(requests[2]?.no_ad).toEqual({ code: "no_bid_above_floor", text: "No bid above the floor" });
});

test("filters narrow the requests, and pages continue where the last one ended", async () => {
  expect(await listAll(`${DAYS}&outcome=no_ad&reason=no_bid_above_floor`)).toHaveLength(1);
  expect(await listAll(`${DAYS}&partner=borealis&country=XX&country=US`)).toHaveLength(3);
  expect(await listAll(`${DAYS}&format=0&zone=end`)).toHaveLength(1);
  const first = await list(`${DAYS}&rows=1`);
  expect(first.requests.map((row) => row.at)).toEqual(["2024-11-19T10:10:00.000Z"]);
  const second = await list(`${DAYS}&rows=1&before=${encodeURIComponent(first.older ?? "")}`);
  expect(second.requests.map((row) => row.at)).toEqual(["2024-11-19T10:00:00.000Z"]);
  expect((await listAll(`${DAYS}&rows=1`)).map((row) => row.at)).toEqual((await listAll(DAYS)).map((row) => row.at));
});

test("after the newest request there are only that one and newer ones", async () => {
  const { newest } = await list(DAYS);
  const { requests } = await list(`${DAYS}&after=${encodeURIComponent(newest ?? "")}`);
  expect(requests.map((row) => row.at)).toEqual(["2024-11-19T10:10:00.000Z"]);
});

test("another account's app is not found, and a malformed filter or cursor is refused", async () => {
  expect((await get(DAYS, other)).status).toBe(404);
  for (const query of [
    "before=x",
    "before=1~2~3",
    "outcome=maybe",
    "reason=A%27",
    "zone=a/b",
    "rows=0",
    "rows=201",
    "extra=1",
  ])
    expect([query, (await get(`${DAYS}&${query}`)).status]).toEqual([query, 400]);
});
