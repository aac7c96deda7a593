import type { GateReason } from "@millrace/auction";
import { type CampaignFormat, type CampaignPlatform, countryOfRegion } from "@millrace/contract";
import type { LiveCampaign } from "./live-campaigns.ts";

/** A campaign in the index, with what auctions have lately learned of it. */
export interface IndexedCampaign {
  readonly campaign: LiveCampaign;
  /** It does not run before this moment: it is over, has not started, or it is not its hour. Epoch milliseconds. */
  dormantUntilMs: number;
  /** Its money is not asked for before this moment, because it had none for this reason. */
  restUntilMs: number;
  restReason: GateReason | null;
  /** Of equal bids, the one that was chosen the longest ago goes first. */
  lastChosen: number;
}

/** The facts of a request by which the index tells campaigns apart. */
export interface IndexKey {
  demo: boolean;
  /** The campaigns' formats that its place takes. */
  formats: readonly CampaignFormat[];
  platform: CampaignPlatform;
  country: string;
  /** Null if unknown. */
  region: string | null;
}

interface Lists {
  /** Campaigns for most of the world, whose countries are looked at when they are found. */
  wide: IndexedCampaign[];
  /** By country, and by region of those that name some of a country's. */
  byPlace: Map<string, IndexedCampaign[]>;
}

/** A list, and how far it was walked. */
interface Walked {
  list: readonly IndexedCampaign[];
  at: number;
}

/** A campaign for more places than this is not listed under each of them. */
const MOST_PLACES = 40;

/** Live campaigns by market, format, platform and place, each list by bid from high to low. A change costs its own size. */
export class CampaignIndex {
  readonly #lists = new Map<string, Lists>();
  readonly #byId = new Map<number, IndexedCampaign>();

  /** Adds a campaign, or replaces its former version. */
  put(campaign: LiveCampaign): void {
    this.remove(campaign.id);
    const entry = { campaign, dormantUntilMs: 0, restUntilMs: 0, restReason: null, lastChosen: 0 };
    this.#byId.set(campaign.id, entry);
    for (const list of this.#listsOf(campaign)) list.splice(placeIn(list, entry), 0, entry);
  }

  remove(id: number): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#byId.delete(id);
    for (const list of this.#listsOf(entry.campaign)) {
      const place = placeIn(list, entry);
      if (list[place] === entry) list.splice(place, 1);
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Calls `visit` for the campaigns that may want such a request, the highest bid first, until it returns false. */
  walk({ demo, formats, platform, country, region }: IndexKey, visit: (entry: IndexedCampaign) => boolean): void {
    const walked: Walked[] = [];
    for (const format of formats) {
      const lists = this.#lists.get(keyOf(demo, format, platform));
      if (!lists) continue;
      const near = lists.byPlace.get(country);
      if (near) walked.push({ list: near, at: 0 });
      const nearest = region === null ? undefined : lists.byPlace.get(region);
      if (nearest) walked.push({ list: nearest, at: 0 });
      walked.push({ list: lists.wide, at: 0 });
    }
    for (;;) {
      let from: Walked | undefined;
      let next: IndexedCampaign | undefined;
      for (const each of walked) {
        const entry = each.list[each.at];
        if (entry === undefined || (next !== undefined && compare(next, entry) <= 0)) continue;
        from = each;
        next = entry;
      }
      if (from === undefined || next === undefined) return;
      from.at++;
      if (!visit(next)) return;
    }
  }

  #listsOf({ demo, targeting }: LiveCampaign): IndexedCampaign[][] {
    const { format, platforms } = targeting;
    const places = placesOf(targeting);
    return platforms.flatMap((platform) => {
      const key = keyOf(demo, format, platform);
      const lists = this.#lists.get(key) ?? { wide: [], byPlace: new Map<string, IndexedCampaign[]>() };
      this.#lists.set(key, lists);
      if (places === null) return [lists.wide];
      return places.map((place) => {
        const list = lists.byPlace.get(place) ?? [];
        lists.byPlace.set(place, list);
        return list;
      });
    });
  }
}

/** Under what a campaign is listed: its countries, or the regions of those that it names some of. Null for a wide one. */
function placesOf({ geo, countries, regions = [] }: LiveCampaign["targeting"]): string[] | null {
  if (geo === "not_in") return null;
  const inPart = new Set(regions.map(countryOfRegion));
  const places = [...new Set([...countries.filter((country) => !inPart.has(country)), ...regions])];
  if (places.length <= MOST_PLACES) return places;
  // Of many regions, the countries are still fewer.
  return countries.length <= MOST_PLACES ? [...new Set(countries)] : null;
}

const keyOf = (demo: boolean, format: CampaignFormat, platform: CampaignPlatform): string =>
  `${demo ? "demo" : "real"} ${format} ${platform}`;

const compare = ({ campaign: a }: IndexedCampaign, { campaign: b }: IndexedCampaign): number =>
  b.bidMicros - a.bidMicros || a.id - b.id;

/** The first place in a list whose campaign does not go before this one. */
function placeIn(list: readonly IndexedCampaign[], entry: IndexedCampaign): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(list[middle] as IndexedCampaign, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
