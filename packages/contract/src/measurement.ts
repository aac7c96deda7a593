import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Done, Uuid, repeated } from "./fields.ts";
import { ALL } from "./constants.ts";
import { StatsFilter, inOrder } from "./filters.ts";
import { POSTBACK_OUTCOMES } from "./measurement-rules.ts";

/** A provider may append parameters of its own, each one text, number or boolean. They are part of the signature. */
const PostbackParams = z.looseObject({
  /** From the macro of a click's or an impression's address. */
  click_id: z.string().optional(),
  /** `install` by default. */
  event: z.string().optional(),
  /** Tells apart several events of the same name after one click. */
  transaction_id: z.union([z.string(), z.number()]).optional(),
  /** The advertiser's secret, or a signature made with it. */
  secret: z.string().optional(),
  signature: z.string().optional(),
});

export const postback = defineCall({
  method: "GET",
  path: "/postback/{id}",
  summary: "Report a conversion from server to server, with the advertiser's secret or a signature",
  access: "device",
  params: ById,
  query: PostbackParams,
  reply: Done,
  changesState: true,
});

export const postbackByPost = defineCall({
  method: "POST",
  path: "/postback/{id}",
  summary: "The same by POST, with the parameters in the query, in a JSON body, or in both",
  access: "device",
  params: ById,
  query: PostbackParams,
  body: PostbackParams.optional(),
  reply: Done,
});

export const PostbackLine = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  event: z.string(),
  transaction_id: z.string(),
  /** What it followed; null if it could not be told. */
  kind: z.enum(["click", "view"]).nullable(),
  outcome: z.enum(POSTBACK_OUTCOMES),
  test: z.boolean(),
});
export type PostbackLine = z.infer<typeof PostbackLine>;

/** How an advertiser's conversions are reported, and what came lately. */
export const Measurement = z.object({
  /** The address for postbacks, without parameters. */
  postback_url: z.string(),
  /** When the secret was made; null as long as nobody has made one. */
  secret_since: z.iso.datetime().nullable(),
  /** The latest postbacks of this campaign, and those that name none of the account's, newest first. */
  postbacks: z.array(PostbackLine),
  /** Those of the last 30 days by what became of them. */
  counts: z.partialRecord(z.enum(POSTBACK_OUTCOMES), z.int()),
});
export type Measurement = z.infer<typeof Measurement>;

export const campaignMeasurement = defineCall({
  method: "GET",
  path: "/campaign/{id}/measurement.json",
  summary: "Get the address for a campaign's postbacks, and the latest ones",
  access: "campaigns.manage",
  params: ById,
  reply: Measurement,
});

export const testPostback = defineCall({
  method: "POST",
  path: "/campaign/{id}/postback/test",
  summary: "Send a test postback, which is checked and listed like any other, and never counted",
  access: "campaigns.manage",
  params: ById,
  reply: Done,
});

export const NewSecret = z.object({
  /** Of the address for postbacks. */
  id: Uuid,
  secret: z.string(),
});
export type NewSecret = z.infer<typeof NewSecret>;

export const rotatePostbackSecret = defineCall({
  method: "POST",
  path: "/campaign/postback_secret",
  summary: "Make a new secret for the account's postbacks, which is shown once. The former one is refused at once",
  access: "campaigns.manage",
  reply: NewSecret,
});

export const inhouseMeasurement = defineCall({
  method: "GET",
  path: "/inhouse/{id}/measurement.json",
  summary: "Get the address for postbacks about an in-house campaign's installs, and the latest ones",
  access: "inhouse.manage",
  params: ById,
  reply: Measurement,
});

export const testInhousePostback = defineCall({
  method: "POST",
  path: "/inhouse/{id}/postback/test",
  summary: "Send a test postback, which is checked and listed like any other, and never counted",
  access: "inhouse.manage",
  params: ById,
  reply: Done,
});

export const rotateInhouseSecret = defineCall({
  method: "POST",
  path: "/inhouse/postback_secret",
  summary: "Make a new secret for the account's postbacks, which is shown once. The former one is refused at once",
  access: "inhouse.manage",
  reply: NewSecret,
});

const Rate = z.object({
  /** In percent; null without trials. */
  value: z.number().nullable(),
  /** The rates that are still possible, however often one looks. */
  low: z.number(),
  high: z.number(),
});
const Verdict = z.object({
  /** The creative that is better than all others; null while there is no difference yet. */
  winner: Uuid.nullable(),
  /** The two best, and the possible differences of their rates in percentage points. */
  leading: z.object({ c_id: Uuid, next: Uuid, low: z.number(), high: z.number() }).nullable(),
});

/** A test of creatives that fill the same places, shown evenly. */
export const CreativeTest = z.object({
  /** What they are, such as "Banners of 320×50". */
  place: z.string(),
  /** All of them could be shown from this hour on. */
  since: z.iso.datetime(),
  creatives: z.array(
    z.object({
      c_id: Uuid,
      name: z.string(),
      /** Null for a video. */
      image_url: z.string().nullable(),
      impressions: z.int(),
      clicks: z.int(),
      /** Clicks that were followed by a conversion. */
      conversions: z.int(),
      ctr: Rate,
      cvr: Rate,
    }),
  ),
  ctr: Verdict,
  cvr: Verdict,
});
export type CreativeTest = z.infer<typeof CreativeTest>;
export const CreativeTests = z.object({ tests: z.array(CreativeTest) });
export type CreativeTests = z.infer<typeof CreativeTests>;

export const creativeTests = defineCall({
  method: "GET",
  path: "/campaign/{id}/tests.json",
  summary: "Compare a campaign's creatives that are shown in the same places",
  access: "campaigns.read",
  params: ById,
  reply: CreativeTests,
});

/** Apple sends postbacks to these paths of the domain that an ad network registers. */
const ApplePostback = z.looseObject({});
export const skadnetworkPostback = defineCall({
  method: "POST",
  path: "/.well-known/skadnetwork/report-attribution/",
  summary: "Take an install-validation postback of SKAdNetwork 2 to 4, signed by Apple",
  access: "device",
  body: ApplePostback,
  reply: Done,
});
export const attributionPostback = defineCall({
  method: "POST",
  path: "/.well-known/appattribution/report-attribution/",
  summary: "Take a postback of AdAttributionKit, signed by Apple",
  access: "device",
  body: ApplePostback,
  reply: Done,
});

/** What Apple attributes to campaigns for iOS, by the days on which its postbacks arrived. */
export const AppleReport = z.object({
  campaigns: z.array(
    z.object({
      uuid: Uuid,
      name: z.string(),
      /** The campaign's number in Apple's attribution; null if all of the app's, or of the account's share, were taken. */
      number: z.int().nullable(),
      installs: z.int(),
      redownloads: z.int(),
      reengagements: z.int(),
      /** Of the second and third conversion window. */
      later: z.int(),
      /** Conversions that Apple attributed to another ad network. */
      lost: z.int(),
      /** With a conversion value, which Apple does not sign. */
      valued: z.int(),
      /** Made by a development key. */
      tests: z.int(),
    }),
  ),
});
export type AppleReport = z.infer<typeof AppleReport>;

export const appleReport = defineCall({
  method: "GET",
  path: "/campaign/apple.json",
  summary: "Get what SKAdNetwork and AdAttributionKit attribute to the account's campaigns",
  access: "campaigns.read",
  query: inOrder(
    StatsFilter.pick({ ds: true, de: true }).extend({ campaign: repeated(z.union([z.literal(ALL), Uuid])) }),
  ),
  reply: AppleReport,
});
