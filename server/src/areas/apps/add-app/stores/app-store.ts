import { z } from "zod";
import { plainName, logoAt } from "./listing-text.ts";
import { type ReadStore, readJson, type StoreClient, StoreUnreachable } from "./store-client.ts";

const IMAGES = [".mzstatic.com"];
const Found = z.object({
  results: z
    .array(
      z.object({
        trackId: z.number(),
        trackName: z.string().max(2000),
        bundleId: z.string().regex(/^[A-Za-z0-9._-]{1,155}$/),
        artworkUrl512: z.unknown(),
        artworkUrl100: z.unknown(),
        supportedDevices: z.array(z.string()).default([]),
      }),
    )
    .max(200),
});

/** Calls the store's public lookup, which replies with JSON. */
export function appStore(read: ReadStore, origin = "https://itunes.apple.com"): StoreClient {
  return {
    store: "appStore",
    find: async ({ id, market }) => {
      const text = await read(`${origin}/lookup?id=${id}&country=${market}&entity=software`);
      if (text === null) return null;
      const answer = Found.safeParse(readJson(text));
      if (!answer.success) throw new StoreUnreachable("an answer of another form");
      const app = answer.data.results.find(({ trackId }) => String(trackId) === id);
      const name = plainName(app?.trackName ?? "");
      if (!app || name === "") return null;
      const logoUrl = logoAt(app.artworkUrl512, IMAGES) ?? logoAt(app.artworkUrl100, IMAGES);
      const onTelevision = app.supportedDevices.some((device) => device.startsWith("AppleTV"));
      const onPhone = !onTelevision || app.supportedDevices.some((device) => /^i(?:Phone|Pad|Pod)/.test(device));
      return {
        name,
        logoUrl,
        bundleId: app.bundleId,
        platforms: [...(onPhone ? (["ios"] as const) : []), ...(onTelevision ? (["tvos"] as const) : [])],
      };
    },
  };
}
