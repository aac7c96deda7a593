import type { AppAds } from "@millrace/contract";
import type { DspKeysDeps } from "../dsp-keys.ts";
import { revisionOf } from "../../../platform/http/revision.ts";
import { listKeysOf, listPartners } from "../store.ts";
import { type AppAdsLine, appAdsLines } from "./app-ads-lines.ts";
import { findSeller, siteOf } from "./app-ads-store.ts";

export interface AccountLinesDeps extends Pick<DspKeysDeps, "pool" | "sealer"> {
  /** Its host is the advertising system that partners buy from. */
  publicUrl: string;
}

export const platformHost = ({ publicUrl }: Pick<AccountLinesDeps, "publicUrl">): string => new URL(publicUrl).hostname;

/** The lines that an account's app-ads.txt needs, and the same as the page shows them. */
export async function linesOfAccount(
  deps: AccountLinesDeps,
  accountId: number,
): Promise<{ lines: AppAdsLine[]; reply: AppAds }> {
  const { pool, sealer } = deps;
  const [seller, partners, keys] = await Promise.all([
    findSeller(pool, accountId),
    listPartners(pool),
    listKeysOf(pool, sealer, accountId),
  ]);
  const platform = platformHost(deps);
  const own = { system: platform, accountId: seller.uuid, relation: "DIRECT" } as const;
  const { lines, leftOut } = appAdsLines({ platform: own, partners, keys });
  return {
    lines,
    reply: {
      ...siteOf(seller),
      revision: revisionOf(siteOf(seller)),
      lines: lines.map(({ line, partners: of }) => ({ line, partners: of.map(({ name }) => name) })),
      left_out: leftOut,
    },
  };
}
