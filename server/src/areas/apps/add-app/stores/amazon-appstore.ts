import { STORES } from "../store-address.ts";
import { metaOf, textOfId } from "./listing-page.ts";
import { plainName, logoAt } from "./listing-text.ts";
import { type ReadStore, type StoreClient, StoreUnreachable } from "./store-client.ts";

const IMAGES = ["m.media-amazon.com", "images-na.ssl-images-amazon.com", "images-eu.ssl-images-amazon.com"];

/**
 * Reads an app's public page: its heading, or else the part of its title between the shop's name and the department's.
 */
export function amazonAppstore(
  read: ReadStore,
  originOf = (market: string) => `https://www.amazon.${market}`,
): StoreClient {
  return {
    store: "amazon",
    find: async ({ id, market }) => {
      const html = await read(`${originOf(market)}/dp/${id}`);
      if (html === null) return null;
      const meta = metaOf(html);
      const name = plainName(textOfId(html, "productTitle") ?? nameIn(meta.get("og:title") ?? meta.get("title") ?? ""));
      // The shop sends some callers a robot check instead of the product page.
      if (name === "") throw new StoreUnreachable("no app on the page");
      return { name, logoUrl: logoAt(meta.get("og:image"), IMAGES), bundleId: id, platforms: STORES.amazon.platforms };
    },
  };
}

/** `Amazon.com: Tide : Apps & Games` is about Tide. A title without the shop's name is not from a product page. */
function nameIn(title: string): string {
  const [shop = "", ...rest] = title.split(":");
  if (!/^\s*Amazon\.[a-z.]{2,6}\s*$/i.test(shop)) return "";
  return rest.length > 1 ? rest.slice(0, -1).join(":") : rest.join(":");
}
