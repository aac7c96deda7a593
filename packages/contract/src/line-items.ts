import { z } from "zod";
import { AppIdentity } from "./apps.ts";
import { FORMATS, type Format } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { AdapterName } from "./exchange.ts";
import { always, AtRevision, ById, Day, Micros, OnceByKey, Revision, Uuid } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { TEXTS } from "./texts.ts";
import { urlOf } from "./url-of.ts";

/** How a line item is tried: a player calls a VAST tag, a frame runs an HTML tag, the app's SDK calls an adapter. */
export const LINE_KINDS = ["vast", "html", "sdk"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** The formats that each kind can fill. */
export const LINE_FORMATS = {
  vast: ["video", "rewarded", "audio"],
  html: ["banner", "interstitial"],
  sdk: FORMATS,
} as const satisfies Record<LineKind, readonly Format[]>;

/**
 * Macros of tags, written as `{zone}`, and what they become. What identifies a person is empty where privacy rules of the
 * request forbid it.
 */
export const LINE_MACROS = {
  cachebuster: "a new number for each ad",
  timestamp: "seconds since 1970",
  app_bundle: "the app's bundle ID",
  app_name: "the app's name",
  zone: "the zone",
  country: "the country's two letters",
  w: "the place's width",
  h: "the place's height",
  device_id: "the advertising id",
  lmt: "1 if ad tracking is limited",
  gdpr: "1 where the GDPR applies",
  gdpr_consent: "the TCF string",
  us_privacy: "the US privacy string",
  gpp: "the GPP string",
  gpp_sid: "the GPP sections in force",
  coppa: "1 for children's apps",
} as const;
export type LineMacro = keyof typeof LINE_MACROS;

export const MOST_LINE_ITEMS = 100;
const MOST_HTML = 32_768;
const Pixels = z.int("Use whole pixels").min(1, "At least 1 pixel").max(4096, "At most 4096 pixels");

/** Its host has no macro, so that nothing in a request decides who is called. */
const TagAddress = z
  .url({ protocol: /^https?$/, error: TEXTS.invalidUrl })
  .max(2000, TEXTS.invalidUrl)
  .refine((text) => !/[{}]|%7b|%7d/i.test(urlOf(text)?.host ?? ""), TEXTS.invalidUrl);

/** What is tried. */
export const LineSource = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("vast"),
    /** The tag's address, with macros. */
    url: TagAddress,
  }),
  z.strictObject({
    kind: z.literal("html"),
    /** Markup with macros, which runs in a frame without an origin. */
    html: z.string().trim().min(1, TEXTS.required).max(MOST_HTML, `At most ${MOST_HTML} characters`),
    /** Of a banner; null fills any place. */
    size: z.strictObject({ w: Pixels, h: Pixels }).nullable(),
  }),
  z.strictObject({
    kind: z.literal("sdk"),
    adapter: AdapterName,
    /** What the adapter is called with, such as its placement id. */
    params: z
      .record(z.string().min(1, TEXTS.required).max(64), z.string().max(500))
      .refine((params) => Object.keys(params).length <= 20, "At most 20"),
  }),
]);
export type LineSource = z.infer<typeof LineSource>;

/** CPM; a null country means every one without a price of its own. */
export const LinePrice = z.strictObject({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Use a country's two letters")
    .nullable(),
  price: Micros.min(1, "Must be above 0").max(1_000_000_000, "Must be at most $1,000"),
});
export type LinePrice = z.infer<typeof LinePrice>;

const LinePrices = z
  .array(LinePrice)
  .min(1, "Add a price")
  .max(300, "At most 300")
  .refine((prices) => new Set(prices.map(({ country }) => country)).size === prices.length, {
    message: "A country is listed twice",
  });

// Rules between fields are asked of any object, so that a form shows everything at once: other fields may be missing or wrong.
interface Unchecked {
  source?: { kind?: unknown; size?: unknown } | null;
  format?: unknown;
}

function takesFormat({ source, format }: Unchecked): boolean {
  const kind = LINE_KINDS.find((each) => each === source?.kind);
  const wanted = FORMATS.find((each) => each === format);
  return kind === undefined || wanted === undefined || (LINE_FORMATS[kind] as readonly Format[]).includes(wanted);
}

const hasSize = ({ source, format }: Unchecked): boolean =>
  source?.kind !== "html" || format !== "banner" || source.size !== null;

export const LineItemFields = z
  .strictObject({
    name: nameField(64).min(1, TEXTS.required),
    format: z.enum(FORMATS),
    /** Names of zones; empty for all of the format. */
    zones: z.array(z.string().min(1).max(64)).max(100, "At most 100"),
    enabled: z.boolean(),
    source: LineSource,
    prices: LinePrices,
    /** IAB Global Vendor List id of the seller: under the GDPR it is then tried with the user's consent only. */
    gvl_id: z.int("Use a whole number").min(1, "At least 1").max(65_535, "At most 65535").nullable(),
  })
  .check(
    always(takesFormat, "format", "This kind of line item does not fill this format"),
    always(hasSize, "source.size", "A banner has a size"),
  );
export type LineItemFields = z.infer<typeof LineItemFields>;

export const LineItem = z.object({
  ...LineItemFields.shape,
  uuid: Uuid,
  revision: Revision,
  /**
   * What an impression is expected to pay, as CPM: the stated price, corrected by what impressions paid. For countries with a price of
   * their own and for every other; the true mean is between `low` and `high` with a probability of 90%.
   */
  expected: z.array(z.object({ country: z.string().nullable(), price: Micros, low: Micros, high: Micros })),
  /** How many impressions of the last days the sellers' SDKs reported a price for. */
  paid: z.int(),
  /**
   * For an adapter: how often the app's SDKs tried it in the last days, counting each device at most ten times a day, and how
   * often it had an ad.
   */
  steps: z.object({ tried: z.int(), filled: z.int() }),
  /** Of the last day that is over. The seller pays this outside the platform: it is no revenue and in no balance. */
  yesterday: z.object({
    impressions: z.int(),
    expected: Micros,
    /** What is expected of each country. */
    countries: z.record(z.string(), Micros),
  }),
});
export type LineItem = z.infer<typeof LineItem>;

export const LineItems = z.object({
  app: AppIdentity,
  day: Day,
  /** In the order in which they were added. */
  items: z.array(LineItem),
});
export type LineItems = z.infer<typeof LineItems>;

const ItemOfApp = z.strictObject({ id: Uuid, item: Uuid });
/** Every change returns all line items. */
const change = { access: "settings.manage", reply: LineItems } as const;

export const lineItems = defineCall({
  method: "GET",
  path: "/apps/{id}/line_items.json",
  summary: "Get an app's line items, with their prices and what they are expected to have earned yesterday",
  access: "settings.manage",
  params: ById,
  reply: LineItems,
});

export const addLineItem = defineCall({
  ...change,
  method: "POST",
  path: "/apps/{id}/line_items",
  summary: "Add a line item, once for each `key`",
  params: ById,
  query: OnceByKey,
  body: LineItemFields,
});

export const editLineItem = defineCall({
  ...change,
  method: "PUT",
  path: "/apps/{id}/line_items/{item}",
  summary:
    "Replace a line item's settings and prices; with the `revision` that was read, only if nobody else has changed them since",
  params: ItemOfApp,
  query: AtRevision,
  body: LineItemFields,
});

export const deleteLineItem = defineCall({
  ...change,
  method: "DELETE",
  path: "/apps/{id}/line_items/{item}",
  summary: "Delete a line item; its figures stay",
  params: ItemOfApp,
});

export const MOST_PRICE_LINES = 10_000;

/** A CSV file with the columns `line_item` (its name), `country` (two letters, empty for every other) and `price` (CPM in dollars). */
export const importLinePrices = defineCall({
  ...change,
  method: "POST",
  path: "/apps/{id}/line_items/prices",
  summary: "Replace the prices of the line items that a CSV file names. One wrong line changes none",
  params: ById,
  body: z.strictObject({ content: z.string().min(1, "The file is empty").max(500_000, "The file is too large") }),
});
