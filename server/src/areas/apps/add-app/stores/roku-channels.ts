import { isObject } from "@millrace/openrtb";
import { STORES } from "../store-address.ts";
import { metaOf } from "./listing-page.ts";
import { plainName, logoAt } from "./listing-text.ts";
import { type Listing, type ReadStore, type StoreClient, StoreUnreachable } from "./store-client.ts";

const IMAGES = [".roku.com"];

/** Uses the API of the channel store's own pages, and falls back to the page itself. */
export function rokuChannels(read: ReadStore, origin = "https://channelstore.roku.com"): StoreClient {
  return {
    store: "roku",
    find: async ({ id }) => {
      const text = await read(`${origin}/api/v6/channels/detailsunion/${id}`).catch((error: unknown) => {
        // An unreachable store is not asked twice.
        if (error instanceof StoreUnreachable && error.status !== undefined) return null;
        throw error;
      });
      const listing = text === null ? null : listingIn(text, id);
      if (listing) return listing;
      const html = await read(`${origin}/details/${id}`);
      if (html === null) return null;
      const meta = metaOf(html);
      const name = plainName((meta.get("og:title") ?? "").replace(/ \| (?:TV App \| )?Roku Channel Store.*$/, ""));
      if (name === "" || name === "Roku Channel Store") throw new StoreUnreachable("no channel on the page");
      return listingOf(name, meta.get("og:image"), id);
    },
  };
}

/** The store's API reply. Its form may change; unknown parts are ignored. */
function listingIn(text: string, id: string): Listing | null {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return null;
  }
  const channel = isObject(reply) && isObject(reply["feedChannel"]) ? reply["feedChannel"] : reply;
  if (!isObject(channel) || typeof channel["name"] !== "string") return null;
  const name = plainName(channel["name"]);
  return name === "" ? null : listingOf(name, channel["iconUrl"] ?? channel["posterUrl"], id);
}

const listingOf = (name: string, logo: unknown, id: string): Listing => ({
  name,
  logoUrl: logoAt(logo, IMAGES),
  bundleId: id,
  platforms: STORES.roku.platforms,
});
