import type { Platform } from "@millrace/contract";
import { urlOf } from "@millrace/openrtb";

export const STORES = {
  googlePlay: { name: "Google Play", platforms: ["android", "androidtv"] },
  appStore: { name: "the App Store", platforms: ["ios", "tvos"] },
  amazon: { name: "the Amazon Appstore", platforms: ["amazon", "firetv"] },
  roku: { name: "the Roku Channel Store", platforms: ["roku"] },
} as const satisfies Record<string, { name: string; platforms: readonly Platform[] }>;
export type StoreName = keyof typeof STORES;

/** An app's place in its store. `url` is its canonical address. */
export interface StoreAddress {
  store: StoreName;
  id: string;
  /** The store's country, or Amazon's domain, because some apps are sold in only one. */
  market: string;
  url: string;
}

const PACKAGE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/i;
const APPLE_ID = /^(?:id)?(\d{1,15})$/i;
const ROKU_ID = /^[0-9a-f]{32}$/i;
const ASIN = /^B0[0-9A-Z]{8}$/i;
const AMAZON_HOST = /^(?:www\.|m\.)?amazon\.(com|ca|com\.mx|com\.br|co\.uk|de|fr|it|es|in|co\.jp|com\.au)$/;
const STORE_HOST = /(?:^|\.)(?:play\.google\.com|apple\.com|roku\.com|amazon\.[a-z.]{2,6})$/i;
const MAX_PACKAGE = 150;

/**
 * Parses typed or pasted text: a store's address with any suffix, or an id whose form identifies the store. Null for
 * anything else.
 */
export function readStoreAddress(text: string): StoreAddress | null {
  const address = text.trim();
  return readId(address) ?? readUrl(address);
}

function readId(text: string): StoreAddress | null {
  const appleId = APPLE_ID.exec(text)?.[1];
  if (appleId !== undefined) return appStore(appleId);
  if (ROKU_ID.test(text)) return roku(text);
  if (ASIN.test(text)) return amazon(text);
  // Package names and store names have the same form.
  return STORE_HOST.test(text) ? null : googlePlay(text);
}

function readUrl(text: string): StoreAddress | null {
  if (/^market:\/\/details\?/i.test(text)) return googlePlay(new URLSearchParams(text.slice(17)).get("id"));
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = urlOf(full);
  // A user name before the host can make another host look like a store.
  if (url?.username !== "" || url.password !== "" || url.port !== "") return null;
  const host = url.hostname.replace(/\.$/, "");
  const parts = url.pathname.split("/").filter((part) => part !== "");
  if (host === "play.google.com") {
    return parts.join("/") === "store/apps/details" ? googlePlay(url.searchParams.get("id")) : null;
  }
  if (host === "apps.apple.com" || host === "itunes.apple.com") return readApple(parts);
  if (host === "channelstore.roku.com") return readRoku(parts);
  const market = AMAZON_HOST.exec(host)?.[1];
  return market === undefined ? null : readAmazon(parts, url.searchParams, market);
}

/** `/us/app/some-name/id123`, and the same without country or name. */
function readApple(parts: readonly string[]): StoreAddress | null {
  const country = /^[a-z]{2}$/i.test(parts[0] ?? "") ? parts[0] : undefined;
  const rest = country === undefined ? parts : parts.slice(1);
  const id = /^id(\d{1,15})$/i.exec(rest.at(-1) ?? "")?.[1];
  return rest[0] === "app" && id !== undefined && rest.length <= 3 ? appStore(id, country) : null;
}

/** `/details/<32 hex>:<more>/some-name`, optionally with a language before it. */
function readRoku(parts: readonly string[]): StoreAddress | null {
  const [id = ""] = (parts[parts.indexOf("details") + 1] ?? "").split(/:|%3a/i);
  return parts.includes("details") && ROKU_ID.test(id) ? roku(id) : null;
}

/** `/some-name/dp/B0…`, `/gp/product/B0…`, and the app's own `?asin=B0…`. */
function readAmazon(parts: readonly string[], query: URLSearchParams, market: string): StoreAddress | null {
  const before = ["dp", "product"].map((name) => parts.indexOf(name)).find((at) => at >= 0);
  const id = (before === undefined ? query.get("asin") : parts[before + 1]) ?? "";
  return ASIN.test(id) ? amazon(id, market) : null;
}

function googlePlay(id: string | null): StoreAddress | null {
  if (id === null || id.length > MAX_PACKAGE || !PACKAGE.test(id)) return null;
  return { store: "googlePlay", id, market: "", url: `https://play.google.com/store/apps/details?id=${id}` };
}

function appStore(digits: string, country = "us"): StoreAddress | null {
  const id = digits.replace(/^0+/, "");
  const market = country.toLowerCase();
  return id === "" ? null : { store: "appStore", id, market, url: `https://apps.apple.com/${market}/app/id${id}` };
}

function roku(hex: string): StoreAddress {
  const id = hex.toLowerCase();
  return { store: "roku", id, market: "", url: `https://channelstore.roku.com/details/${id}` };
}

function amazon(asin: string, market = "com"): StoreAddress {
  const id = asin.toUpperCase();
  return { store: "amazon", id, market, url: `https://www.amazon.${market}/dp/${id}` };
}
