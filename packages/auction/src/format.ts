import type { Imp } from "@millrace/openrtb";
import type { AdFormat, AuctionInput } from "./input.ts";

/** The format of an imp: rewarded before full screen, then its own media type. */
export function formatOfImp(imp: Imp): AdFormat {
  if (imp.rwdd === 1) return "rewarded";
  if (imp.instl === 1) return "interstitial";
  if (imp.banner !== undefined) return "banner";
  if (imp.video !== undefined) return "video";
  return imp.native !== undefined ? "native" : "audio";
}

/** The format the caller named for the imp, or else the imp's own. */
export function formatOf(imp: Imp, { formats }: Pick<AuctionInput, "formats">): AdFormat {
  const named = formats !== undefined && Object.hasOwn(formats, imp.id) ? formats[imp.id] : undefined;
  return named ?? formatOfImp(imp);
}
