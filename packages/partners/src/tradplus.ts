import { defineAdapter } from "./adapter/define-adapter.ts";
import { byMtype } from "./adapter/media-type-of-bid.ts";

interface Keys {
  accountId: string;
  zoneId?: string;
}

export const tradplus = defineAdapter<Keys>({
  id: "tradplus",
  name: "TradPlus",
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://{{ZoneID}}adx.tradplusad.com/{{AccountID}}/pserver",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      accountId: { type: "string", title: "Account ID" },
      zoneId: { type: "string", title: "Zone prefix", pattern: "^[a-zA-Z0-9.-]*$" },
    },
    required: ["accountId"],
  },
  plan: ({ accountId, zoneId = "" }) => ({ macros: { ZoneID: zoneId, AccountID: accountId } }),
  response: { mediaType: [byMtype("banner", "video", "native")], currency: "USD", ownId: true },
});
