import { type Body, type CampaignFields, type editCampaign, countryOfRegion } from "@millrace/contract";
import type { Creative } from "./creative-store.ts";

/** What a campaign has before it is saved. */
interface Stored {
  region: readonly string[];
  creatives: readonly Pick<Creative, "uuid" | "fields">[];
}

/**
 * A body with what it may leave out: regions, but for those of countries that it leaves out too, and the creatives' store
 * countries are as stored.
 */
export function fullBody(body: Body<typeof editCampaign>, stored: Stored): CampaignFields {
  const countries = new Map(stored.creatives.map(({ uuid, fields }) => [uuid, fields.country]));
  return {
    ...body,
    region: body.region ?? stored.region.filter((code) => body.country.includes(countryOfRegion(code))),
    creatives: body.creatives.map((creative) => ({
      ...creative,
      country: creative.country ?? countries.get(creative.c_id?.toLowerCase() ?? "") ?? "",
    })),
  };
}
