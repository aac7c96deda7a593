import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { someLiveCampaign } from "../testing/some-live-campaign.ts";
import { type CreativeCounts, CreativeRotation } from "./creative-rotation.ts";

const [one] = someLiveCampaign(1).creatives;
if (!one) throw new Error("it has a creative");
const creatives = [one, { ...one, id: 11 }, { ...one, id: 12 }];
const even = someLiveCampaign(1, { creatives });
const learning = someLiveCampaign(1, { creatives, rotation: "learn", holdOutPercent: 20 });

const AUCTIONS = Array.from({ length: 6000 }, (_, nth) => `auction-${nth}`);

async function chosenBy(campaign: typeof even, counts: Record<number, CreativeCounts> = {}) {
  const known = new Map(Object.entries(counts).map(([id, of]) => [Number(id), of]));
  const rotation = new CreativeRotation({ read: async () => known, log: silentLog });
  rotation.set(campaign);
  await rotation.refresh();
  return AUCTIONS.map((id) => rotation.choose(campaign, campaign.creatives, id));
}
const shareOf = (
  list: readonly ({ creative: { id: number }; arm: string } | undefined)[],
  id: number,
  arm?: string,
) => {
  const among = list.filter((each) => arm === undefined || each?.arm === arm);
  return among.filter((each) => each?.creative.id === id).length / among.length;
};

test("an even rotation shows each creative equally often", async () => {
  const list = await chosenBy(even);
  expect(new Set(list.map((each) => each?.arm))).toEqual(new Set(["even"]));
  for (const { id } of creatives) expect(shareOf(list, id)).toBeCloseTo(1 / 3, 1);
});

test("a learning rotation prefers the creative that is clicked more often, and holds a fixed share out", async () => {
  const list = await chosenBy(learning, {
    10: { impressions: 5000, clicks: 50 },
    11: { impressions: 5000, clicks: 150 },
    12: { impressions: 5000, clicks: 60 },
  });
  expect(list.filter((each) => each?.arm === "held").length / list.length).toBeCloseTo(0.2, 1);
  for (const { id } of creatives) expect(shareOf(list, id, "held")).toBeCloseTo(1 / 3, 1);
  expect(shareOf(list, 11, "learned")).toBeGreaterThan(0.99);
});

test("while little is known, every creative gets its chance", async () => {
  const list = await chosenBy(learning, { 10: { impressions: 30, clicks: 1 }, 11: { impressions: 30, clicks: 2 } });
  for (const { id } of creatives) expect(shareOf(list, id, "learned")).toBeGreaterThan(0.01);
});

test("a place that only some of the compared creatives fit is no part of their experiment", () => {
  const [, two, three] = creatives as [typeof one, typeof one, typeof one];
  const other = { ...one, id: 13, comparedAs: "Banners of 300×250" };
  const campaign = someLiveCampaign(1, { creatives: [...creatives, other] });
  const rotation = new CreativeRotation({ read: async () => new Map(), log: silentLog });
  const arms = (fitting: typeof creatives) =>
    new Set(AUCTIONS.map((id) => rotation.choose(campaign, fitting, id)?.arm));
  expect(arms([one, two, three])).toEqual(new Set(["even"]));
  expect(arms([one, two])).toEqual(new Set([""]));
  // The one of another size is compared with none, and all of its kind fit.
  expect(arms([one, two, other])).toEqual(new Set(["", "even"]));
});

test("the same auction chooses the same creative, and one that fits alone is no experiment", async () => {
  expect(await chosenBy(learning)).toEqual(await chosenBy(learning));
  const rotation = new CreativeRotation({ read: async () => new Map(), log: silentLog });
  expect(rotation.choose(learning, [one], "a")).toEqual({ creative: one, arm: "" });
  expect(rotation.choose(learning, [], "a")).toBeUndefined();
});
