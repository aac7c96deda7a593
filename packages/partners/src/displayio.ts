import { defineAdapter } from "./adapter/define-adapter.ts";
import { floorChanges } from "./adapter/imp-changes.ts";

interface Keys {
  publisherId: string;
  inventoryId: string;
  placementId: string;
}

export const displayio = defineAdapter<Keys>({
  id: "displayio",
  name: "display.io",
  mediaTypes: ["banner", "video", "native", "audio"],
  endpoint: "https://prebid.display.io/?publisher={{PublisherID}}",
  openrtbVersion: "2.5",
  gzip: true,
  keys: {
    properties: {
      publisherId: { type: "string", title: "Publisher ID" },
      inventoryId: { type: "string", title: "Inventory ID" },
      placementId: { type: "string", title: "Placement ID" },
    },
    required: ["publisherId", "inventoryId", "placementId"],
  },
  split: "per-imp",
  plan: ({ publisherId, inventoryId, placementId }) => ({
    macros: { PublisherID: publisherId },
    imp: floorChanges({ currency: "USD", nameCurrency: "always" }),
    request: { ext: ({ ext }) => ({ ...ext, displayio: { placementId, inventoryId } }) },
  }),
  response: { currency: "USD", ownId: true },
});
