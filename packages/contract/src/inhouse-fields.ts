import { z } from "zod";
import { PageAddress, versionsOf } from "./campaign-fields.ts";
import { GEO_TYPES, SKIP_TIMERS, SOLD_AS, targetingFaults } from "./campaign-rules.ts";
import type { Format } from "./constants.ts";
import { Micros, Uuid } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { TEXTS } from "./texts.ts";

/** Of in-house campaigns: an image fills the screen, a video plays where videos do, a reward video is watched for a reward. */
export const INHOUSE_FORMATS = ["image", "video", "reward"] as const;
export type InhouseFormat = (typeof INHOUSE_FORMATS)[number];
export const INHOUSE_FORMAT_LABELS = { image: "Image", video: "Video", reward: "Reward" } as const satisfies Record<
  InhouseFormat,
  string
>;

/** The formats of the exchange's requests that their videos fill. */
export const INHOUSE_VIDEO_SOLD_AS = {
  video: SOLD_AS.video,
  reward: ["rewarded"],
} as const satisfies Record<Exclude<InhouseFormat, "image">, readonly Format[]>;

export const VIDEO_ORIENTATIONS = ["all", "portrait", "landscape"] as const;
const MOST_PRICE = 1_000_000_000;

/** In-house campaigns of an account, without deleted ones. */
export const MOST_INHOUSE = 200;

const StoreId = z
  .string()
  .trim()
  .min(1, TEXTS.required)
  .min(5, TEXTS.invalidId)
  .max(100, TEXTS.invalidId)
  .regex(/^[\w.-]+$/, TEXTS.invalidId);

/** The address that the upload returned; empty for none. */
const FileAddress = z.string().max(300).default("");

/** What a publisher enters to promote one of their apps in others of their apps. */
export const InhouseFields = z.strictObject({
  title: nameField(100).min(1, TEXTS.required),
  desc: nameField(300).min(1, TEXTS.required),
  /** The promoted app. */
  ad_app_id: z.union([Uuid, z.literal("", TEXTS.required)], TEXTS.required).refine((id) => id !== "", TEXTS.required),
  /** The apps that show it. */
  app_id: z
    .array(Uuid)
    .min(1, TEXTS.addApplication)
    .max(500)
    .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]),
  /** The CPM at which it competes with bids, in micro-dollars. Nobody pays it. 0 to fill only what nobody bought. */
  price: Micros.min(0, TEXTS.bidNeeded).max(MOST_PRICE, TEXTS.bidNeeded).default(0),
  geo_type: z.enum(GEO_TYPES).default("not_in"),
  /** ISO 3166-1 alpha-2. None with `not_in` means every country. */
  country: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(300)
    .default([]),
  ios: versionsOf("ios"),
  android: versionsOf("android"),
  format: z.enum(INHOUSE_FORMATS).default("image"),
  /** The page that a click opens. */
  target_url: PageAddress,
  /** The promoted app's id in its store. */
  store_id: StoreId,
  /** The country of that store. */
  store_country: z.string(TEXTS.required).regex(/^[A-Z]{2}$/, TEXTS.required),
  /** For landscape and for portrait screens. One alone is shown on both. */
  image_l: FileAddress,
  image_p: FileAddress,
  video: FileAddress,
  video_orientation: z.enum(VIDEO_ORIENTATIONS).default("all"),
  skip_timer: z.literal(SKIP_TIMERS).default(5),
  /** Whether the images of a video fill interstitials, too, after everything else. */
  interstitial_waterfall: z.boolean().default(false),
});
export type InhouseFields = z.infer<typeof InhouseFields>;

type Rules = Parameters<typeof targetingFaults>[0] &
  Pick<InhouseFields, "image_l" | "image_p" | "video"> & { format: string };

/** A message for each field that breaks a rule between fields, by its path. */
export function inhouseFaults(fields: Rules): Record<string, string> {
  const { format, image_l, image_p, video } = fields;
  return {
    ...targetingFaults(fields),
    ...(image_l === "" && image_p === "" && { image_p: TEXTS.addImage }),
    ...(format !== "image" && video === "" && { video: TEXTS.required }),
  };
}

/** The fields and the rules between them. */
export const InhouseBody = InhouseFields.superRefine((fields, issues) => {
  for (const [path, message] of Object.entries(inhouseFaults(fields)))
    issues.addIssue({ code: "custom", path: path.split("."), message });
});

const LISTS: ReadonlySet<string> = new Set(["app_id", "country"]);
const NUMBERS: ReadonlySet<string> = new Set(["price", "skip_timer"]);
const FLAGS: ReadonlySet<string> = new Set(["interstitial_waterfall", "ios.all", "android.all"]);

/** The fields as a form: lists as repeated names, `ios.min` for a part of a field, 1 and 0 for yes and no. */
export function inhouseForm({ ios, android, ...fields }: z.input<typeof InhouseFields>): URLSearchParams {
  const form = new URLSearchParams();
  const versions = { ios, android };
  for (const os of ["ios", "android"] as const)
    for (const [part, value] of Object.entries(versions[os])) form.append(`${os}.${part}`, textOf(value));
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, textOf(each));
  return form;
}

const textOf = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "1" : "0") : String(value);

/** What `inhouseForm` wrote, or another sender's form of these fields, as the body that the schema checks. */
export function readInhouseForm(text: string): Record<string, unknown> {
  const body = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const [field = "", part] = name.split(".", 2);
    if (LISTS.has(name)) {
      const list = body.get(name);
      if (Array.isArray(list)) list.push(value);
      else body.set(name, [value]);
    } else if (part === undefined) body.set(name, valueOf(name, value));
    else {
      const parts = body.get(field);
      const known = typeof parts === "object" && parts !== null ? Object.entries(parts) : [];
      body.set(field, Object.fromEntries([...known, [part, valueOf(name, value)]]));
    }
  }
  return Object.fromEntries(body);
}

function valueOf(name: string, value: string): unknown {
  if (FLAGS.has(name)) return value === "1" || value === "true" || value === "on";
  // What is no number stays text, which the schema refuses in its own words.
  return NUMBERS.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
