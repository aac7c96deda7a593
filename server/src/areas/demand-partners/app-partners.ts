import { type AppPartner, DSP_FORMATS, type DspFormat } from "@millrace/contract";
import { findAdapter } from "@millrace/partners";
import type { Pool } from "pg";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { type PartnerRow, listKeysOf, listPartners } from "./store.ts";

export interface AppPartnersDeps {
  pool: Pool;
  sealer: Sealer;
}

/** Every partner from an app's point of view: the formats it buys, and whether it is on. */
export async function appPartners(
  { pool, sealer }: AppPartnersDeps,
  accountId: number,
  appId: number,
): Promise<AppPartner[]> {
  const [partners, keys] = await Promise.all([listPartners(pool), listKeysOf(pool, sealer, accountId, appId)]);
  return partners.map((partner) => {
    const own = keys.filter(({ partner_id }) => partner_id === partner.id);
    return {
      id: partner.id,
      name: partner.name,
      formats: formatsOf(partner),
      keyed: own.map(({ format }) => format),
      enabled: own.some(({ enabled }) => enabled),
      active: partner.active,
      is_test: isTestBidder(partner),
    };
  });
}

/** Whether a bidder of the demo misbehaves on purpose; the demo's other bidders are active. */
export const isTestBidder = ({ demo, active }: Pick<PartnerRow, "demo" | "active">): boolean => demo && !active;

/** The format of a partner's keys: banner and native share one, video and audio the other. */
export function formatsOf(partner: Pick<PartnerRow, "kind" | "media_types">): DspFormat[] {
  const kind = findAdapter(partner.kind);
  const sold = partner.media_types.filter((type) => kind?.mediaTypes.some((known) => known === type));
  const formats = sold.map((type): DspFormat => (type === "video" || type === "audio" ? "video" : "banner"));
  return DSP_FORMATS.filter((format) => formats.includes(format));
}
