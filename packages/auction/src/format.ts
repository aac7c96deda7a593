import type { Imp } from "@millrace/openrtb";
import type { AdFormat, AuctionInput } from "./input.ts";

/** The format that an imp sells: rewarded before full screen, then what it offers. */
export function formatOfImp(imp: Imp): AdFormat {
  if (imp.rwdd === 1) return "rewarded";
  if (imp.instl === 1) return "interstitial";
  if (imp.banner !== undefined) return "banner";
  if (imp.video !== undefined) return "video";
  return imp.native !== undefined ? "native" : "audio";
}

/** The format the caller named for the imp, or else what the imp itself says. */
export function formatOf(imp: Imp, { formats }: Pick<AuctionInput, "formats">): AdFormat {
  const named = formats !== undefined && Object.hasOwn(formats, imp.id) ? formats[imp.id] : undefined;
  return named ?? formatOfImp(imp);
}
