import type { BidRequest } from "@millrace/openrtb";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges, plusExt } from "./adapter/imp-changes.ts";
import { deviceHeaders } from "./adapter/request-changes.ts";

const headersOfDevice = deviceHeaders("user-agent", "accept-language");

/** Both of the device's addresses, as far as it has them. */
const addressesOf = ({ device }: BidRequest): string => [device?.ip, device?.ipv6].filter(Boolean).join(", ");

export const ogury = defineAdapter({
  id: "ogury",
  name: "Ogury",
  gvlId: 31,
  mediaTypes: ["banner"],
  endpoint: "https://prebids2s.presage.io/api/header-bidding-request",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      assetKey: { type: "string", title: "Asset key" },
      adUnitId: { type: "string", title: "Ad unit ID" },
    },
    required: ["assetKey", "adUnitId"],
  },
  requestHeaders: (request) => ({ ...headersOfDevice(request), "x-forwarded-for": addressesOf(request) }),
  plan: (keys) => ({
    imp: { tagid: ({ id }) => id, ext: plusExt(keys), ...floorChanges({ currency: "USD" }) },
  }),
  response: { unknownType: "fail", ownId: true },
});
