import { defineAdapter } from "./adapter/define-adapter.ts";
import { plusExt } from "./adapter/imp-changes.ts";
import { always, byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  networkId: number;
  siteId?: number;
  pageId?: number;
  formatId?: number;
  placementuuid?: string;
  /** Not in the form: requests bring it for campaigns that are sold directly. */
  programmaticGuaranteed?: unknown;
}

const GUARANTEED_ENDPOINT = "https://prebid-global.smartadserver.com/ortb";

export const equativ = defineAdapter<Keys>({
  id: "equativ",
  name: "Equativ (Smart AdServer)",
  gvlId: 45,
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "https://ssb-global.smartadserver.com/api/bid?callerId=5",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      networkId: { type: "integer", title: "Network ID", minimum: 1 },
      siteId: { type: "integer", title: "Site ID", minimum: 1 },
      pageId: { type: "integer", title: "Page ID", minimum: 1 },
      formatId: { type: "integer", title: "Format ID", minimum: 1 },
      placementuuid: {
        type: "string",
        title: "Placement UUID",
        description: "Instead of the site, the page and the format",
      },
    },
    required: ["networkId"],
  },
  keysOf: "last",
  sharedKey: "programmaticGuaranteed",
  plan({ networkId, siteId = 0, pageId = 0, formatId = 0, placementuuid, programmaticGuaranteed }) {
    const ids = { siteId, pageId, formatId, networkId, plcmtuuid: placementuuid || undefined };
    const isGuaranteed = programmaticGuaranteed === true;
    return {
      endpoint: isGuaranteed ? GUARANTEED_ENDPOINT : undefined,
      imp: { ext: plusExt(isGuaranteed ? { smartadserver: ids } : { bidder: ids }) },
      // The partner looks for the publisher's id in the site, also if the inventory is an app.
      request: { site: ({ site }) => ({ ...site, publisher: { ...site?.publisher, id: String(networkId) } }) },
    };
  },
  response: { mediaType: [byMtype(), always("banner")], currency: "USD", ownId: true },
});
