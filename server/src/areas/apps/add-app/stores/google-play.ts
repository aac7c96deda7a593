import { STORES } from "../store-address.ts";
import { linkedDataOf, metaOf } from "./listing-page.ts";
import { plainName, logoAt } from "./listing-text.ts";
import { type ReadStore, type StoreClient, StoreUnreachable } from "./store-client.ts";

const IMAGES = ["play-lh.googleusercontent.com"];

/** Reads an app's public page: its search engine metadata, or else its link preview. */
export function googlePlay(read: ReadStore, origin = "https://play.google.com"): StoreClient {
  return {
    store: "googlePlay",
    find: async ({ id }) => {
      const html = await read(`${origin}/store/apps/details?id=${encodeURIComponent(id)}&hl=en&gl=US`);
      if (html === null) return null;
      const meta = metaOf(html);
      const app = linkedDataOf(html).find((each) => each["@type"] === "SoftwareApplication");
      const listed = typeof app?.["name"] === "string" ? app["name"] : (meta.get("og:title") ?? "");
      const name = plainName(listed.replace(/ - Apps on Google Play$/, ""));
      // Consent pages and robot checks contain no app.
      if (name === "") throw new StoreUnreachable("no app on the page");
      const logoUrl = logoAt(app?.["image"], IMAGES) ?? logoAt(meta.get("og:image"), IMAGES);
      return { name, logoUrl, bundleId: id, platforms: STORES.googlePlay.platforms };
    },
  };
}
