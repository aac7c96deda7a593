import type { Imp } from "@millrace/openrtb";
import type { ChangeContext } from "./adapter/changes.ts";
import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith } from "./adapter/imp-changes.ts";
import { always } from "./adapter/media-type-of-bid.ts";
import { deviceHeaders } from "./adapter/request-changes.ts";

interface Keys {
  host: string;
  publisher_id: string;
}

/** A page over https needs secure ads, and so does every imp that says so. */
const secureOf = ({ secure }: Imp, { request: { site } }: ChangeContext) =>
  secure === 1 || String(site?.page).startsWith("https:") ? 1 : 0;

export const between = defineAdapter<Keys>({
  id: "between",
  name: "Between Exchange",
  gvlId: 724,
  mediaTypes: ["banner"],
  endpoint: "http://{{Host}}.betweendigital.com/openrtb_bid?sspId={{PublisherID}}",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      host: {
        type: "string",
        title: "Regional host",
        enum: ["lbs-eu1.ads", "lbs-ru1.ads", "lbs-us-east1.ads", "lbs-asia1.ads"],
      },
      publisher_id: { type: "string", title: "Publisher ID" },
    },
    required: ["host", "publisher_id"],
  },
  keysOf: "last",
  requestHeaders: deviceHeaders("user-agent", "x-forwarded-for", "accept-language", "dnt", "referer"),
  plan: ({ host, publisher_id: id }) => ({
    macros: { Host: host, PublisherID: id },
    imp: { secure: secureOf, banner: bannerWith({ size: "both-missing", shift: true, orRefuse: true }) },
  }),
  response: { mediaType: [always("banner")], currency: "USD", ownId: true },
});
