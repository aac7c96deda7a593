import {
  type InhouseApp,
  InhouseBody,
  type Reply,
  type UploadedFile,
  WebAddress,
  type getInhouse,
} from "@millrace/contract";
import { z } from "zod";
import { type VersionsDraft, allVersions, amountOf, dollarsOf } from "../form/typed.ts";

/** The form of an in-house campaign while it is being filled in. */
export interface InhouseDraft {
  title: string;
  desc: string;
  ad_app_id: string;
  app_id: string[];
  /** Dollars as typed; empty to fill only what nobody bought. */
  price: string;
  geo_type: string;
  country: string[];
  ios: VersionsDraft;
  android: VersionsDraft;
  format: string;
  target_url: string;
  store_id: string;
  store_country: string;
  image_l: UploadedFile | null;
  image_p: UploadedFile | null;
  video: UploadedFile | null;
  video_orientation: string;
  skip_timer: number;
  interstitial_waterfall: boolean;
}

export const newInhouse = (): InhouseDraft => ({
  title: "",
  desc: "",
  ad_app_id: "",
  app_id: [],
  price: "",
  geo_type: "not_in",
  country: [],
  ios: allVersions("ios"),
  android: allVersions("android"),
  format: "image",
  target_url: "",
  store_id: "",
  store_country: "",
  image_l: null,
  image_p: null,
  video: null,
  video_orientation: "all",
  skip_timer: 5,
  interstitial_waterfall: false,
});

/** A saved in-house campaign as its form shows it. */
export function inhouseDraftOf({
  campaign,
  creatives: [creative],
}: Pick<Reply<typeof getInhouse>, "campaign" | "creatives">): InhouseDraft {
  const { title, desc, ad_app_id, app_id, price, geo_type, country, ios, android } = campaign;
  return {
    ...newInhouse(),
    title,
    desc,
    ad_app_id,
    app_id,
    price: price === 0 ? "" : dollarsOf(price),
    geo_type,
    country,
    ios,
    android,
    ...creative,
  };
}

/** The call's body. What cannot be read becomes a value that the schema refuses in its own words. */
export function inhouseBodyOf(draft: InhouseDraft): z.input<typeof InhouseBody> {
  const { price, image_l, image_p, video } = draft;
  const body = {
    ...draft,
    price: price.trim() === "" ? 0 : amountOf(price),
    image_l: image_l?.url ?? "",
    image_p: image_p?.url ?? "",
    video: video?.url ?? "",
  };
  // Selects hold text; the schema checks that it is one of its values.
  return body as z.input<typeof InhouseBody>;
}

/** The draft, checked as the body that is made of it. */
export const InhouseDraftSchema = z.custom<InhouseDraft>().transform(inhouseBodyOf).pipe(InhouseBody);

/** What follows from the promoted app, unless something else was entered already. */
export function promoting(draft: InhouseDraft, app: InhouseApp, before: InhouseApp | undefined): Partial<InhouseDraft> {
  const { url, bundle_id } = app;
  // Cut short, it could lead elsewhere.
  const target = WebAddress.safeParse(url).success ? (url ?? "") : "";
  return {
    ad_app_id: app.uuid,
    ...(["", before?.bundle_id].includes(draft.store_id) && { store_id: bundle_id }),
    ...(["", before?.url].includes(draft.target_url) && { target_url: target }),
  };
}

const IOS: ReadonlySet<string> = new Set(["ios", "tvos", "others"]);
const ANDROID: ReadonlySet<string> = new Set(["android", "androidtv", "firetv", "amazon", "others"]);

/** The operating systems on which the chosen apps run, whose versions can be targeted; both before any is chosen. */
export function systemsOf(apps: readonly InhouseApp[], chosen: readonly string[]): { ios: boolean; android: boolean } {
  const platforms = apps.filter(({ uuid }) => chosen.includes(uuid)).map(({ platform }) => platform);
  if (platforms.length === 0) return { ios: true, android: true };
  return {
    ios: platforms.some((platform) => IOS.has(platform)),
    android: platforms.some((platform) => ANDROID.has(platform)),
  };
}
