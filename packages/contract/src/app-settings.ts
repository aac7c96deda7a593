import { z } from "zod";
import { AppIdentity } from "./apps.ts";
import { FORMATS, type Platform } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { DSP_FORMATS } from "./demand-partners.ts";
import { AtRevision, ById, domainLike, Micros, Revision, Uuid } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { Reward, RewardForm, RewardSettings } from "./rewards.ts";

const Country = z.string().regex(/^[A-Z]{2}$/, "Use a country's two letters");

export const Zone = z.object({
  zone: z.string(),
  name: z.string(),
  format: z.enum(FORMATS),
  refresh_seconds: z.int(),
  /** Of its rewarded ads; null for the app's reward. */
  reward: Reward.nullable(),
  first_seen_at: z.iso.datetime(),
  /** Covers what is edited; send it back with a change. */
  revision: Revision,
});
export type Zone = z.infer<typeof Zone>;

/** A partner as this app sees it. */
export const AppPartner = z.object({
  id: z.string(),
  name: z.string(),
  formats: z.array(z.enum(DSP_FORMATS)),
  /** The formats that have keys; without any, the partner cannot be switched on. */
  keyed: z.array(z.enum(DSP_FORMATS)),
  enabled: z.boolean(),
  /** False if the operator has disabled it for all apps. */
  active: z.boolean(),
  /** A bidder of the demo that misbehaves on purpose. */
  is_test: z.boolean(),
});
export type AppPartner = z.infer<typeof AppPartner>;

/** The lowest price per thousand impressions. Null means every country or format; the most specific rule applies. */
export const Floor = z.strictObject({
  country: Country.nullable(),
  format: z.enum(FORMATS).nullable(),
  floor: Micros.min(0, "Must not be negative").max(1_000_000_000, "Must be at most $1,000"),
});
export type Floor = z.infer<typeof Floor>;

/** IAB Content Taxonomy 1.0, as OpenRTB's `bcat` takes it. */
const Category = z.string().regex(/^IAB([1-9]|1\d|2[0-6])(-\d{1,2})?$/, "Use a category like IAB7 or IAB7-39");
const MACRO = /^(?:\[[^\]]*\]|%%.*%%|\$?\{.*\}|__\w+__)$/s;
/** Whether a value is an unexpanded macro, as players, ad servers and tag managers write them. */
export const isMacro = (value: string): boolean => MACRO.test(value);
/**
 * What programs send in place of a missing id, and what players write for an unknown or a withheld value (VAST 4.2, section 6.1).
 */
const NO_ID = /^(?:null|undefined|unknown|none|-[12])$/i;
/** Whether an id identifies a device: systems that limit tracking give every app no id, an empty one or zeros. */
export const isOwnId = (id: string | undefined): id is string =>
  id !== undefined && /[^0-]/.test(id) && !NO_ID.test(id) && !isMacro(id);

/** An advertising id (IDFA, GAID and similar). */
const DeviceId = z
  .guid("Use an advertising id: 8-4-4-4-12 hex digits")
  .toLowerCase()
  // All phones that limit tracking have zeros, and the ads of all of them would become tests.
  .refine(isOwnId, "This phone hides its advertising id: allow tracking to see it");

const unique = <S extends z.ZodType>(item: S, most: number) =>
  z
    .array(item)
    .max(most, `At most ${most}`)
    .transform((items) => [...new Set(items)]);

export const Categories = unique(Category, 100);
export const Blocks = z.strictObject({
  categories: Categories,
  domains: unique(domainLike("shop.example"), 500),
});
export const TestDevices = z.strictObject({ devices: unique(DeviceId, 50) });
export const Flags = z.strictObject({
  kids: z.boolean(),
  adult: z.boolean(),
  is_gaming: z.boolean(),
  only_image: z.boolean(),
  muted: z.boolean(),
});

/** What is learned from the app's traffic and changes its auctions. Skips are off unless the owner switches them on. */
export const Learning = z.strictObject({
  /** Partners are not sent requests on which they are predicted not to bid. */
  skip_partners: z.boolean(),
  /** In this share of the auctions, in percent, line items are ranked at draws from what is believed of their prices. */
  exploration: z.int("Use whole percent").min(0, "At least 0").max(50, "At most 50"),
});

const PHONES: readonly Platform[] = ["android", "ios"];
/** Flags for apps of some platforms only. */
const PLATFORMS_OF_FLAG: Partial<Record<keyof z.infer<typeof Flags>, readonly Platform[]>> = {
  kids: PHONES,
  muted: PHONES,
  is_gaming: ["android"],
};

/** Whether the platform's apps have a flag. Other flags are neither shown nor accepted. */
export const mayHaveFlag = (flag: keyof z.infer<typeof Flags>, platform: Platform): boolean =>
  PLATFORMS_OF_FLAG[flag]?.includes(platform) ?? true;

/** What is saved as a whole, each by a form of its own. */
export const SETTING_PARTS = ["flags", "learning", "floors", "blocks", "test_devices", "rewards"] as const;
export type SettingPart = (typeof SETTING_PARTS)[number];

export const AppSettings = z.object({
  app: AppIdentity,
  flags: Flags,
  learning: Learning,
  zones: z.array(Zone),
  partners: z.array(AppPartner),
  floors: z.array(Floor),
  blocks: z.object({ categories: z.array(z.string()), domains: z.array(z.string()) }),
  test_devices: z.array(z.string()),
  rewards: RewardSettings,
  /** One for each part; send it back with a change of that part. */
  revisions: z.record(z.enum(SETTING_PARTS), Revision),
});
export type AppSettings = z.infer<typeof AppSettings>;

export const appSettings = defineCall({
  method: "GET",
  path: "/apps/{id}/settings.json",
  summary: "Get an app's zones and all settings of its auctions",
  access: "settings.manage",
  params: ById,
  reply: AppSettings,
});

/** Every change returns all settings. */
const change = { method: "PUT", access: "settings.manage", reply: AppSettings } as const;
/** With the `revision` of what it replaces, a change is refused if somebody else has changed it since. */
const replace = { ...change, query: AtRevision } as const;

export const setFloors = defineCall({
  ...replace,
  path: "/apps/{id}/floors",
  summary: "Replace the app's floors",
  params: ById,
  body: z.strictObject({
    floors: z
      .array(Floor)
      .max(1000, "At most 1000")
      .refine((floors) => new Set(floors.map(({ country, format }) => `${country} ${format}`)).size === floors.length, {
        message: "A country and format are listed twice",
      }),
  }),
});

export const setBlocks = defineCall({
  ...replace,
  path: "/apps/{id}/blocks",
  summary: "Replace the app's blocked categories and advertisers",
  params: ById,
  body: Blocks,
});

export const setTestDevices = defineCall({
  ...replace,
  path: "/apps/{id}/test_devices",
  summary: "Replace the app's test devices, whose ads are neither counted nor paid",
  params: ById,
  body: TestDevices,
});

export const setFlags = defineCall({
  ...replace,
  path: "/apps/{id}/flags",
  summary: "Set the app's audience and the kinds of ads it allows",
  params: ById,
  body: Flags,
});

export const setLearning = defineCall({
  ...replace,
  path: "/apps/{id}/learning",
  summary: "Switch on or off what the app's auctions learn from its traffic",
  params: ById,
  body: Learning,
});

export const setRewards = defineCall({
  ...replace,
  path: "/apps/{id}/rewards",
  summary: "Set what users of the app earn with rewarded ads, and the address of the server that is told of it",
  params: ById,
  body: RewardForm,
});

export const switchPartner = defineCall({
  ...change,
  path: "/apps/{id}/partners/{partner}",
  summary: "Enable or disable a partner in the app's auctions",
  params: z.strictObject({ id: Uuid, partner: z.string().max(64) }),
  body: z.strictObject({ enabled: z.boolean() }),
});

/** Partners forbid refreshing a banner more often, and SDKs wait so long whatever a zone says. */
const SHORTEST_REFRESH_SECONDS = 10;

const ZoneOfApp = z.strictObject({ id: Uuid, zone: z.string().max(64) });

export const editZone = defineCall({
  ...replace,
  path: "/apps/{id}/zones/{zone}",
  summary: "Rename a zone, or change its refresh time or its reward",
  params: ZoneOfApp,
  body: z.strictObject({
    name: nameField(64).min(1, "This field is required"),
    refresh_seconds: z
      .int("Use whole seconds")
      .min(SHORTEST_REFRESH_SECONDS, `At least ${SHORTEST_REFRESH_SECONDS} seconds`)
      .max(3600, "At most an hour"),
    /** Of a rewarded zone: null for the app's reward; absent, it stays. */
    reward: Reward.nullable().optional(),
  }),
});

/** Its next counted impression registers the zone again. */
export const deleteZone = defineCall({
  ...change,
  method: "DELETE",
  path: "/apps/{id}/zones/{zone}",
  summary: "Delete a zone; its statistics stay",
  params: ZoneOfApp,
});
