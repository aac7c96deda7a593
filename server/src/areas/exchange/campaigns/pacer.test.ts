import { LEAST_DAILY_BUDGET } from "@millrace/contract";
import { expect, test } from "vitest";
import { Pacer, type PacerCampaign } from "./pacer.ts";

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const HOURLY = Array.from({ length: 24 }, () => 1000);
const OUTLOOK = { hourly: HOURLY, today: 1, winnable: (price: number) => Math.min(1, price / 4e6) };
const CAMPAIGN: PacerCampaign = {
  id: 7,
  demo: false,
  media: ["banner"],
  bidMicros: 2_000_000,
  dailyMicros: 5_000_000,
  budgetMicros: 0,
  targeting: {
    startsAt: at("00:00:00"),
    endsAt: null,
    days: [1, 2, 3, 4, 5, 6, 7],
    fromMinute: 0,
    toMinute: 1439,
    format: "banner",
    geo: "in",
    countries: ["DE"],
    platforms: ["android"],
  },
};
const NOTHING = { todayMicros: 0, totalMicros: 0 };

function pacerOf(campaign: PacerCampaign, outlook: typeof OUTLOOK | { winnable: null } = OUTLOOK) {
  const spent = { ...NOTHING };
  const pacer = new Pacer({ forecast: { of: () => ({ ...OUTLOOK, ...outlook }) }, spentOf: () => spent });
  pacer.set(campaign);
  return { pacer, spent };
}

test("a campaign that is not known takes no part", () => {
  const { pacer } = pacerOf(CAMPAIGN);
  expect(pacer.planOf(8, at("10:00:00"))).toEqual({ bidMicros: 0, share: 0, tries: 0 });
  pacer.remove(7);
  expect(pacer.planOf(7, at("10:00:00")).share).toBe(0);
});

test("an edit of the budget or the hours is planned for at once, and a plan holds for ten seconds otherwise", () => {
  const { pacer, spent } = pacerOf(CAMPAIGN);
  const now = at("10:00:00");
  const first = pacer.planOf(7, now);
  spent.todayMicros = 4_000_000;
  expect(pacer.planOf(7, now + 9999)).toBe(first);
  spent.todayMicros = 0;
  pacer.set({ ...CAMPAIGN, dailyMicros: 10_000_000 });
  const doubled = pacer.planOf(7, now + 1);
  expect(doubled.bidMicros).toBeGreaterThan(first.bidMicros * 1.2);
  pacer.set({ ...CAMPAIGN, targeting: { ...CAMPAIGN.targeting, toMinute: 719 } });
  expect(pacer.planOf(7, now + 2).bidMicros).toBeGreaterThan(doubled.bidMicros);
  pacer.set({ ...CAMPAIGN, dailyMicros: 1 });
  spent.todayMicros = 2;
  expect(pacer.planOf(7, now + 3).share).toBe(0);
});

test.each([
  ["its budget", { budgetMicros: 9_000_500 }, { totalMicros: 9_000_000 }, "budget_spent"],
  ["the budget of its day", {}, { todayMicros: 4_999_500 }, "daily_budget_spent"],
  ["its account's balance", {}, { isBalanceSpent: true }, "balance_spent"],
  ["nothing", { budgetMicros: 9_002_000 }, { todayMicros: 4_998_000, totalMicros: 9_000_000 }, undefined],
])("a plan tells that all but a part of an impression is spent of %s", (_, some, spent, lack) => {
  const pacer = pacerOf({ ...CAMPAIGN, ...some });
  Object.assign(pacer.spent, spent);
  expect(pacer.pacer.planOf(7, at("10:00:00")).lack).toBe(lack);
});

test("while what is spent is not known, a campaign is planned as a new one, and learns nothing from it", () => {
  const known = new Map<number, typeof NOTHING>();
  const pacer = new Pacer({ forecast: { of: () => OUTLOOK }, spentOf: (id) => known.get(id) });
  pacer.set(CAMPAIGN);
  const first = pacer.planOf(7, at("10:00:00"));
  expect(first.share).toBe(1);
  const spent = { todayMicros: 2_500_000, totalMicros: 900_000_000 };
  known.set(7, spent);
  const second = pacer.planOf(7, at("10:00:10"));
  const other = pacerOf(CAMPAIGN);
  Object.assign(other.spent, spent);
  expect(second).toEqual(other.pacer.planOf(7, at("10:00:10")));
});

test("spending less than planned raises the bid, spending more lowers it", () => {
  const bids = (micros: number) => {
    const { pacer, spent } = pacerOf(CAMPAIGN);
    let bid = 0;
    for (let second = 0; second <= 300; second += 10) {
      bid = pacer.planOf(7, at("10:00:00") + second * 1000).bidMicros;
      spent.todayMicros += micros;
      spent.totalMicros += micros;
    }
    return bid;
  };
  const planned = (5_000_000 / 14 / 3600) * 10;
  const right = bids(planned);
  expect(bids(planned / 3)).toBeGreaterThan(right * 1.1);
  expect(bids(planned * 3)).toBeLessThan(right * 0.9);
});

test("without a forecast a campaign begins with a small share at its full bid", () => {
  const { pacer, spent } = pacerOf(CAMPAIGN, { winnable: null });
  expect(pacer.planOf(7, at("10:00:00"))).toMatchObject({ bidMicros: 2_000_000, share: expect.closeTo(0.001) });
  let plan = { bidMicros: 0, share: 0 };
  for (let second = 10; second <= 3600; second += 10) plan = pacer.planOf(7, at("10:00:00") + second * 1000);
  expect(plan).toMatchObject({ bidMicros: 2_000_000, share: 1 });
  expect(spent).toEqual(NOTHING);
});

test("where nothing is known, a campaign tries the next auctions as long as it has spent too little, however seldom they come", () => {
  const { pacer, spent } = pacerOf(CAMPAIGN, { winnable: null });
  const triesAt = (time: string) => pacer.planOf(7, at(time)).tries;
  expect(triesAt("10:00:00")).toBe(2);
  // An app that asks every ten minutes.
  expect(triesAt("10:10:00")).toBe(2);
  expect(triesAt("10:20:00")).toBe(2);
  // What it should have spent since is added, and what it has is taken away.
  expect(triesAt("10:21:00")).toBe(5);
  Object.assign(spent, { todayMicros: 10_000, totalMicros: 10_000 });
  expect(triesAt("10:21:10")).toBe(0);
});

test("a campaign tries no auction without a reason: neither with a forecast nor with nothing left", () => {
  expect(pacerOf(CAMPAIGN).pacer.planOf(7, at("10:00:00")).tries).toBe(0);
  const { pacer, spent } = pacerOf(CAMPAIGN, { winnable: null });
  Object.assign(spent, { todayMicros: 5_000_000, totalMicros: 5_000_000 });
  expect(pacer.planOf(7, at("10:00:00")).tries).toBe(0);
});

/** The share of auctions after some minutes without a forecast, with one impression after ten seconds, or none. */
function shareAfter(minutes: number, firstImpressionMicros: number): number {
  const { pacer, spent } = pacerOf({ ...CAMPAIGN, dailyMicros: LEAST_DAILY_BUDGET }, { winnable: null });
  let share = 0;
  for (let second = 0; second <= minutes * 60; second += 10) {
    share = pacer.planOf(7, at("10:00:00") + second * 1000).share;
    if (second === 10) Object.assign(spent, { todayMicros: firstImpressionMicros, totalMicros: firstImpressionMicros });
  }
  return share;
}

test("a campaign that has bought nothing where nothing is known takes part in every auction after three minutes", () => {
  expect(shareAfter(1, 0)).toBeLessThan(0.05);
  expect(shareAfter(3, 0)).toBe(1);
  expect(shareAfter(3, 2000)).toBeLessThan(0.05);
});

test("two processes that see the same spend agree, also when one started hours later", () => {
  const [early, late] = [pacerOf(CAMPAIGN), pacerOf(CAMPAIGN)];
  const bidOf = ({ pacer }: typeof early, second: number) => pacer.planOf(7, at("00:00:00") + second * 1000).bidMicros;
  for (let second = 0; second < 16 * 3600; second += 10) {
    const { bidMicros } = early.pacer.planOf(7, at("00:00:00") + second * 1000);
    // Fewer ads are shown than the forecast thinks.
    const micros = ((1000 / 3600) * 10 * 0.7 * OUTLOOK.winnable(bidMicros) * bidMicros) / 1000;
    for (const { spent } of [early, late]) {
      spent.todayMicros += micros;
      spent.totalMicros += micros;
    }
    if (second >= 8 * 3600) bidOf(late, second);
  }
  const end = 16 * 3600;
  expect(Math.abs(bidOf(early, end) / bidOf(late, end) - 1)).toBeLessThan(0.03);
});
