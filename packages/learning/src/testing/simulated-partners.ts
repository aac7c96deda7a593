import { DAY_MS } from "@millrace/units";
import { type AppCell, BID_HALF_LIFE_MS, type BidEvidence, drawSkip, fitSkips, type Skips } from "../bid-prediction.ts";
import { seeded } from "./seeded.ts";

/** A partner with how often it bids, by country; 0 for never. */
interface Partner {
  id: string;
  bidRates: Record<string, number>;
}

const COUNTRIES = ["US", "DE", "FR", "BR", "IN", "ID"];
const everywhere = (rate: number) => Object.fromEntries(COUNTRIES.map((country) => [country, rate]));

const PARTNERS: Partner[] = [
  { id: "often", bidRates: everywhere(0.5) },
  { id: "seldom", bidRates: everywhere(0.02) },
  { id: "europe", bidRates: { ...everywhere(0), DE: 0.3, FR: 0.2 } },
  { id: "america", bidRates: { ...everywhere(0), US: 0.4 } },
  { id: "never", bidRates: everywhere(0) },
  { id: "keys refused", bidRates: everywhere(0) },
];

const REQUESTS_PER_FIT = 500;
/** Ten thousand requests a day. */
const FIT_MS = DAY_MS / 20;

export interface Skipped {
  /** Requests to partners that never bid in the request's country: all that there were, and those that were sent. */
  hopeless: number;
  hopelessSent: number;
  /** With every partner asked, and as it was. */
  revenueIfAsked: number;
  revenue: number;
  /** Requests to the partner that begins to bid, after it has. */
  awakeSent: number;
  awake: number;
}

/** Asks partners for requests of three apps. The partner `never` begins to bid at request `beginsAt`. */
export function askPartners(seed: string, requests: number, beginsAt = Infinity): Skipped {
  const random = seeded(seed);
  const seen = new Map<string, Map<string, BidEvidence>>();
  const skips = new Map<string, Skips>();
  const sums: Skipped = { hopeless: 0, hopelessSent: 0, revenueIfAsked: 0, revenue: 0, awakeSent: 0, awake: 0 };
  for (let nth = 0; nth < requests; nth++) {
    if (nth % REQUESTS_PER_FIT === 0) fit(seen, skips);
    const cell: AppCell = {
      format: random.pick(["banner", "interstitial"]),
      country: random.pick(COUNTRIES),
      platform: random.pick(["ios", "android"]),
      appId: random.pick([1, 2, 3]),
    };
    const offers = PARTNERS.map((partner) => {
      const isAwake = partner.id === "never" && nth >= beginsAt;
      const rate = isAwake ? 0.5 : (partner.bidRates[cell.country] ?? 0);
      const price = random.next() < rate ? random.factor(0.7) * (partner.id === "seldom" ? 5 : 1) : 0;
      const skip = drawSkip({ seed: `${seed} ${nth}`, partnerId: partner.id }, skips.get(partner.id) ?? {}, [cell]);
      const isSent = skip?.value !== true;
      const weight = 1 / (skip?.probability ?? 1);
      if (rate === 0) sums.hopeless++;
      if (rate === 0 && isSent) sums.hopelessSent++;
      if (isAwake) sums.awake++;
      if (isAwake && isSent) sums.awakeSent++;
      if (isSent) see(seen, partner.id, { ...cell, asked: weight, bids: price > 0 ? weight : 0 });
      return { price, isSent };
    });
    sums.revenueIfAsked += Math.max(...offers.map(({ price }) => price));
    sums.revenue += Math.max(...offers.map(({ price, isSent }) => (isSent ? price : 0)));
  }
  return sums;
}

function see(seen: Map<string, Map<string, BidEvidence>>, partnerId: string, row: BidEvidence): void {
  const cells = seen.get(partnerId) ?? new Map<string, BidEvidence>();
  seen.set(partnerId, cells);
  const key = `${row.format}/${row.country}/${row.platform}/${row.appId}`;
  const { asked, bids } = cells.get(key) ?? { asked: 0, bids: 0 };
  cells.set(key, { ...row, asked: asked + row.asked, bids: bids + row.bids });
}

function fit(seen: Map<string, Map<string, BidEvidence>>, skips: Map<string, Skips>): void {
  const left = 2 ** (-FIT_MS / BID_HALF_LIFE_MS);
  for (const [id, cells] of seen) {
    for (const [key, row] of cells) cells.set(key, { ...row, asked: row.asked * left, bids: row.bids * left });
    skips.set(id, fitSkips([...cells.values()]));
  }
}
