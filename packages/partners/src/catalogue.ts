import type { Adapter } from "./adapter/adapter.ts";
import { adform } from "./adform.ts";
import { adtelligent } from "./adtelligent.ts";
import { adview } from "./adview.ts";
import { algorix } from "./algorix.ts";
import { axonix } from "./axonix.ts";
import { between } from "./between.ts";
import { bidmachine } from "./bidmachine.ts";
import { bigoad } from "./bigoad.ts";
import { criteo } from "./criteo.ts";
import { displayio } from "./displayio.ts";
import { epsilon } from "./epsilon.ts";
import { equativ } from "./equativ.ts";
import { improvedigital } from "./improvedigital.ts";
import { inmobi } from "./inmobi.ts";
import { kargo } from "./kargo.ts";
import { kayzen } from "./kayzen.ts";
import { loopme } from "./loopme.ts";
import { medianet } from "./medianet.ts";
import { mobilefuse } from "./mobilefuse.ts";
import { ogury } from "./ogury.ts";
import { onetag } from "./onetag.ts";
import { openrtb } from "./openrtb.ts";
import { openx } from "./openx.ts";
import { operaads } from "./operaads.ts";
import { pubmatic } from "./pubmatic.ts";
import { pulsepoint } from "./pulsepoint.ts";
import { rise } from "./rise.ts";
import { sharethrough } from "./sharethrough.ts";
import { smaato } from "./smaato.ts";
import { sovrn } from "./sovrn.ts";
import { startio } from "./startio.ts";
import { thetradedesk } from "./thetradedesk.ts";
import { tradplus } from "./tradplus.ts";
import { triplelift } from "./triplelift.ts";
import { unruly } from "./unruly.ts";
import { verve } from "./verve.ts";
import { vungle } from "./vungle.ts";
import { xandr } from "./xandr.ts";
import { yahoo } from "./yahoo.ts";
import { yieldmo } from "./yieldmo.ts";
import { zmaticoo } from "./zmaticoo.ts";

/** The adapters by their ids. A partner of the platform names one of them as its kind. */
export const partners = {
  openrtb,
  adform,
  adtelligent,
  adview,
  algorix,
  axonix,
  between,
  bidmachine,
  bigoad,
  criteo,
  displayio,
  epsilon,
  equativ,
  improvedigital,
  inmobi,
  kargo,
  kayzen,
  loopme,
  medianet,
  mobilefuse,
  ogury,
  onetag,
  openx,
  operaads,
  pubmatic,
  pulsepoint,
  rise,
  sharethrough,
  smaato,
  sovrn,
  startio,
  thetradedesk,
  tradplus,
  triplelift,
  unruly,
  verve,
  vungle,
  xandr,
  yahoo,
  yieldmo,
  zmaticoo,
} as const satisfies Record<string, Adapter>;

export type PartnerId = keyof typeof partners;

const byId = new Map<string, Adapter>(Object.entries(partners));

export function findAdapter(id: string): Adapter | undefined {
  return byId.get(id);
}
