import type { DeviceFacts, Offer } from "@millrace/auction";
import { exclusionsOf } from "@millrace/openrtb";
import { silentLog } from "../../../../platform/log.ts";
import { CampaignIndex } from "../campaign-index.ts";
import { CampaignChooser, type CampaignRequest, type ChosenAd } from "../choose-campaigns.ts";
import { CreativeRotation } from "../creative-rotation.ts";
import { MemoryFrequencyCaps } from "../frequency-caps.ts";
import type { LiveCampaign } from "../live-campaigns.ts";
import { someLiveCampaign } from "../../testing/some-live-campaign.ts";

/** The moment of the requests: a Tuesday. */
export const AT = Date.parse("2026-03-03T12:00:00Z");
export const PHONE: DeviceFacts = {
  country: "DE",
  platform: "android",
  osVersion: "14",
  network: "wifi",
  campaignPlatform: "android",
};
export const offer = (floorMicros: number | null = 0, id = "1"): Offer => ({
  imp: { id, banner: { format: [{ w: 320, h: 50 }] } },
  format: "banner",
  floorMicros,
  ownFloorMicros: 0,
});
const request = (auctionId: string, more: Partial<CampaignRequest>): CampaignRequest => ({
  auctionId,
  at: AT,
  demo: false,
  facts: PHONE,
  childDirected: false,
  exclusions: exclusionsOf({ id: "r", imp: [] }),
  device: "1",
  offers: [offer()],
  ratesToUsd: {},
  isTest: false,
  ...more,
});

type Plans = Record<number, ReturnType<ConstructorParameters<typeof CampaignChooser>[0]["pacer"]["planOf"]>>;

/** A chooser whose campaigns have all the money there is, unless told otherwise. */
export function chooserOf(
  campaigns: readonly LiveCampaign[],
  plans: Plans = {},
  lacks: Record<number, "budget_spent" | "lease_pending"> = {},
) {
  const index = new CampaignIndex();
  for (const campaign of campaigns) index.put(campaign);
  const asked: number[] = [];
  let auctions = 0;
  const open = new Set<object>();
  const chooser = new CampaignChooser({
    index,
    caps: new MemoryFrequencyCaps(),
    rotation: new CreativeRotation({ read: async () => new Map(), log: silentLog }),
    pacer: { planOf: (id) => plans[id] ?? { bidMicros: Number.MAX_SAFE_INTEGER, share: 1, tries: 0 } },
    budgets: {
      hold(campaignId, micros) {
        asked.push(campaignId);
        const lack = lacks[campaignId];
        if (lack !== undefined) return lack;
        const hold = { campaignId, leaseId: "lease", micros };
        open.add(hold);
        return hold;
      },
      release: (hold) => void open.delete(hold),
    },
  });
  const chosen = (more: Partial<CampaignRequest>) => chooser.choose(request(`auction-${++auctions}`, more));
  const ids = (of: { campaign: LiveCampaign }[] | undefined) => of?.map(({ campaign }) => campaign.id) ?? [];
  return {
    index,
    asked,
    open,
    chooser,
    choose(more: Partial<CampaignRequest> = {}) {
      const choice = chosen(more);
      return {
        ads: ids(choice?.ads),
        missed: choice?.missed.map(({ campaign, reason }) => [campaign.id, reason]) ?? [],
      };
    },
    adsOf: (more: Partial<CampaignRequest> = {}): ChosenAd[] => chosen(more)?.ads ?? [],
  };
}

export const some = (id: number, bidMicros: number, more: Parameters<typeof someLiveCampaign>[1] = {}) =>
  someLiveCampaign(id, { bidMicros, ...more });
