/** The assets of a native ad, for the app to draw. Pictures are addresses. */
export interface NativeAssets {
  title: string;
  description: string | null;
  callToAction: string;
  sponsor: string | null;
  icon: string | null;
  image: string | null;
  /** The page that explains why this ad is shown; must be linked where there is one. */
  privacy: string | null;
}

export interface NativeAd {
  assets: NativeAssets;
  clickUrl: string;
  clickTrackers: string[];
  impressionTrackers: string[];
  /** Scripts that count the impression; they run in a frame without an origin. */
  impressionScripts: string[];
}

/** The ids under which the platform requests each asset. */
const ASSET_IDS = { title: 1, icon: 2, image: 3, description: 4, callToAction: 5, sponsor: 6 } as const;
/** Native 1.2, section 7.6 and 7.7. */
const IMPRESSION = 1;
const BY_IMAGE = 1;
const BY_SCRIPT = 2;

/** Reads a Native 1.2 response. Null without a title or an address to lead to. */
export function readNative(json: string): NativeAd | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const root = record(record(value)["native"] ?? value);
  const assets = list(root["assets"]).map(record);
  const byId = (id: number) => assets.find((asset) => asset["id"] === id) ?? {};
  const data = (id: number) => text(record(byId(id)["data"])["value"]);
  const picture = (id: number) => webUrl(record(byId(id)["img"])["url"]);
  const title = text(record(byId(ASSET_IDS.title)["title"])["text"]);
  const link = record(root["link"]);
  const clickUrl = webUrl(link["url"]);
  if (title === null || clickUrl === null) return null;
  const trackers = list(root["eventtrackers"]).map(record);
  const impressions = (method: number) =>
    trackers.flatMap((each) =>
      each["event"] === IMPRESSION && each["method"] === method ? (webUrl(each["url"]) ?? []) : [],
    );
  return {
    assets: {
      title,
      description: data(ASSET_IDS.description),
      callToAction: data(ASSET_IDS.callToAction) ?? "Open",
      sponsor: data(ASSET_IDS.sponsor),
      icon: picture(ASSET_IDS.icon),
      image: picture(ASSET_IDS.image),
      privacy: webUrl(root["privacy"]),
    },
    clickUrl,
    clickTrackers: list(link["clicktrackers"]).flatMap((each) => webUrl(each) ?? []),
    impressionTrackers: [...list(root["imptrackers"]).flatMap((each) => webUrl(each) ?? []), ...impressions(BY_IMAGE)],
    impressionScripts: impressions(BY_SCRIPT),
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);
const webUrl = (value: unknown) => (typeof value === "string" && /^https?:\/\//i.test(value) ? value : null);
