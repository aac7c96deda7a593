import type { LiveCampaign } from "../campaigns/live-campaigns.ts";

/** A live campaign for banners of 320 × 50 in Germany, at all times. */
export function someLiveCampaign(
  id: number,
  {
    targeting,
    ...some
  }: Partial<Omit<LiveCampaign, "targeting">> & { targeting?: Partial<LiveCampaign["targeting"]> } = {},
): LiveCampaign {
  return {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
    participantId: `campaign-${id}`,
    accountId: 1,
    name: `Campaign ${id}`,
    bundle: "com.example.tide",
    demo: false,
    bidMicros: 1_000_000,
    dailyMicros: 300_000_000,
    budgetMicros: 0,
    caps: [],
    media: ["banner"],
    creatives: [
      {
        id: id * 10,
        uuid: `00000000-0000-4000-9000-${String(id).padStart(12, "0")}`,
        w: 320,
        h: 50,
        fileUrl: "https://ads.example.com/files/a.png",
        clickUrl: "https://shop.example/",
        adomain: ["shop.example"],
        categories: [],
        forChildren: false,
        trackingUrl: "",
        asksForDevice: false,
        comparedAs: "Banners of 320×50",
        html: (href) => `<a href="${href}">Shop</a>`,
        native: null,
        video: null,
      },
    ],
    rotation: "even",
    holdOutPercent: 20,
    isBuying: true,
    ...some,
    targeting: {
      startsAt: 0,
      endsAt: null,
      days: [1, 2, 3, 4, 5, 6, 7],
      fromMinute: 0,
      toMinute: 1439,
      geo: "in",
      countries: ["DE"],
      platforms: ["android"],
      ios: null,
      android: null,
      wifiOnly: false,
      format: "banner",
      sizes: [{ w: 320, h: 50 }],
      ...targeting,
    },
  };
}
