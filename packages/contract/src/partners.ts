import { z } from "zod";
import { CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, PLATFORMS } from "./constants.ts";
import { Currency } from "./currency-rates.ts";
import { defineCall } from "./define-call.ts";
import { Keys, KeysSchema } from "./demand-partners.ts";
import { AtRevision, domainLike, Revision } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { WORLD_REGIONS } from "./world-regions.ts";
import { TEXTS } from "./texts.ts";
import { urlOf } from "./url-of.ts";

export const PARTNER_MEDIA_TYPES = ["banner", "video", "audio", "native"] as const;
const MediaType = z.enum(PARTNER_MEDIA_TYPES);

/** A partner's id on the platform, which statistics and requests name it by. */
export const PartnerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "Use up to 64 of a to z, 0 to 9, - and _")
  // Other providers of ads are counted under these names.
  .refine((id) => !new RegExp(`^(${CAMPAIGN_PROVIDER.id}?|${INHOUSE_PROVIDER.id})(-|$)`).test(id), "Use another id");

const ByPartner = z.strictObject({ partner: PartnerId });

const MOST_ENTRIES = 20;
const fewOf = <S extends z.ZodType<Record<string, string>>>(record: S) =>
  record.refine((entries) => Object.keys(entries).length <= MOST_ENTRIES, `Use at most ${MOST_ENTRIES}`);

/** The HTTP client's own headers: framing, connection and encoding (RFC 9110, 9112). */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "accept-encoding",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "proxy-connection",
]);
const HeaderName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/, "Use names of headers, such as x-api-key")
  .refine((name) => !OWN_HEADERS.has(name) && name !== "__proto__", "This header is set by the exchange itself");
const Headers = fewOf(
  z.record(
    HeaderName,
    z
      .string()
      .trim()
      .min(1, TEXTS.required)
      .max(1000)
      .regex(/^[\x20-\x7e]+$/, "Use letters, digits and signs without line breaks"),
  ),
);

/** An http(s) address; `{{Name}}` stands for a key or a platform id. Whether it may be used depends on where it leads. */
const Endpoint = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === "" || isEndpoint(text), "Use an address like https://bids.example.com/openrtb");

function isEndpoint(text: string): boolean {
  const filled = text.replaceAll(/\{\{\w+\}\}/g, "x");
  if (!/^https?:\/\/[^\s/]/.test(filled) || /[\s{}]/.test(filled)) return false;
  const url = urlOf(filled);
  return url?.username === "" && url.password === "" && url.hash === "";
}

/** The platform's node in the supply chain (OpenRTB 2.6, section 3.2.26). */
const SchainNode = z.strictObject({
  asi: domainLike("example.com"),
  sid: z.string().trim().min(1, TEXTS.required).max(64),
  name: z.string().trim().max(100).optional(),
  domain: domainLike("example.com").optional(),
});

/** What the operator sets for a partner. */
export const PartnerSettings = z.strictObject({
  /** The adapter; fixed once the partner is saved. */
  kind: z.string().max(64),
  name: nameField(100).min(1, TEXTS.required),
  active: z.boolean(),
  /** Empty for the adapter's own. */
  endpoint: Endpoint,
  media_types: z.array(MediaType).min(1, "Choose at least one").max(PARTNER_MEDIA_TYPES.length),
  /** Of apps; it is not asked for those of other platforms. */
  platforms: z.array(z.enum(PLATFORMS)).min(1, "Choose at least one").max(PLATFORMS.length),
  /** Of devices' countries; it is not asked in others. */
  regions: z.array(z.enum(WORLD_REGIONS)).min(1, "Choose at least one").max(WORLD_REGIONS.length),
  /** Its addresses in these regions, in place of `endpoint`. */
  region_endpoints: z.partialRecord(z.enum(WORLD_REGIONS), Endpoint.min(1, TEXTS.required)),
  openrtb_version: z.enum(["2.5", "2.6"]),
  gzip: z.boolean(),
  /** Null for the adapter's own. */
  gvl_id: z.int().min(1, "Use a vendor id of the Global Vendor List").max(65_535).nullable(),
  platform_ids: fewOf(
    z.record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/, "Use names like supplyId"),
      z.string().trim().min(1, TEXTS.required).max(200),
    ),
  ),
  headers: Headers,
  /** Secret headers, which are stored sealed and never shown again. Null keeps those that are stored. */
  credentials: Headers.nullable(),
  currency: Currency.nullable(),
  bid_currency: Currency.nullable(),
  schain_node: SchainNode.nullable(),
  /** Requests per second of all exchange processes together; null for no limit. */
  qps_limit: z.int().min(1, "Use at least 1").max(10_000, "Use at most 10,000").nullable(),
  app_ads_lines: z.array(z.string().trim().min(1, TEXTS.required).max(300)).max(MOST_ENTRIES),
});
export type PartnerSettings = z.output<typeof PartnerSettings>;

/** What a partner did today (UTC), in the apps of all accounts. */
const PartnerToday = z.object({
  asked: z.int(),
  bids: z.int(),
  wins: z.int(),
  timeouts: z.int(),
  errors: z.int(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
});
export type PartnerToday = z.infer<typeof PartnerToday>;

const ListedPartner = z.object({
  id: PartnerId,
  /** The adapter's id. */
  kind: z.string(),
  name: z.string(),
  /** False for an adapter that no partner of the platform uses. */
  connected: z.boolean(),
  active: z.boolean(),
  demo: z.boolean(),
  media_types: z.array(MediaType),
  platforms: z.array(z.enum(PLATFORMS)),
  gvl_id: z.int().nullable(),
  /** Null if it was not asked today. */
  today: PartnerToday.nullable(),
});
export type ListedPartner = z.infer<typeof ListedPartner>;

export const adminPartners = defineCall({
  method: "GET",
  path: "/admin/partners.json",
  summary: "List the platform's partners, with what they did today, and the adapters that it could connect",
  access: "admin",
  reply: z.object({ partners: z.array(ListedPartner) }),
});

export const AdminPartner = z.object({
  id: PartnerId,
  connected: z.boolean(),
  demo: z.boolean(),
  revision: Revision,
  /** Of credentials only the names. */
  settings: PartnerSettings.omit({ credentials: true }).extend({ credentials: z.array(z.string()) }),
  /** What the adapter's code says; null where the operator decides. */
  adapter: z.object({
    name: z.string(),
    endpoint: z.string(),
    media_types: z.array(MediaType),
    platforms: z.array(z.enum(PLATFORMS)),
    openrtb_version: z.enum(["2.5", "2.6"]).nullable(),
    gzip: z.boolean().nullable(),
    gvl_id: z.int().nullable(),
    /** The names of the platform ids that it uses. */
    platform_ids: z.array(z.string()),
    keys_schema: KeysSchema,
  }),
  today: PartnerToday.nullable(),
});
export type AdminPartner = z.infer<typeof AdminPartner>;

export const adminPartner = defineCall({
  method: "GET",
  path: "/admin/partners/{partner}.json",
  summary: "Get a partner's settings and what its adapter says; with `kind`, also of a partner that is not saved yet",
  access: "admin",
  params: ByPartner,
  query: z.strictObject({ kind: z.string().max(64).optional() }),
  reply: AdminPartner,
});

export const savePartner = defineCall({
  method: "PUT",
  path: "/admin/partners/{partner}",
  summary:
    "Connect a partner, or change its settings; the exchange applies them within seconds. With the `revision` that was read, only if nobody else has changed them since",
  access: "admin",
  params: ByPartner,
  query: AtRevision,
  body: PartnerSettings,
  reply: AdminPartner,
});

const WireMessage = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });

/** One call of a test, as it was on the wire; credentials are blacked out. */
const TestedCall = z.object({
  request: WireMessage.extend({ method: z.string(), url: z.string(), gzip: z.boolean() }),
  response: WireMessage.extend({ status: z.int(), latency_ms: z.number() }).nullable(),
  /** Why there is no response. */
  failure: z.string().nullable(),
  /** What the adapter reads in the response; null without one. */
  reading: z
    .object({
      currency: z.string(),
      bids: z.array(
        z.object({
          /** CPM in the answer's currency; null if it is no number. */
          price: z.number().nullable(),
          media_type: z.string(),
          seat: z.string().nullable(),
          advertiser: z.array(z.string()),
          creative: z.string().nullable(),
          /** Why an auction without floors and blocks would refuse it; null if it would not. */
          refused: z.string().nullable(),
        }),
      ),
      /** The bids that cannot be read, each as what is wrong with it. */
      malformed: z.array(z.string()),
    })
    .nullable(),
  /** Why the response cannot be read. */
  fault: z.string().nullable(),
});

export const PartnerTest = z.object({
  calls: z.array(TestedCall),
  /** Why no call is made. */
  refused: z.string().nullable(),
});
export type PartnerTest = z.infer<typeof PartnerTest>;

export const testPartner = defineCall({
  method: "POST",
  path: "/admin/partners/{partner}/test",
  summary:
    "Send a partner one test request with these keys, to its address in a region or its main one, and get the wire",
  access: "admin",
  params: ByPartner,
  body: z.strictObject({ media_type: MediaType, keys: Keys, region: z.enum(WORLD_REGIONS).optional() }),
  reply: PartnerTest,
});

const PartnerBreakers = z.object({
  paused: z.array(z.object({ id: z.string(), breaker: z.enum(["open", "half_open"]) })),
});
export type PartnerBreakers = z.infer<typeof PartnerBreakers>;

export const partnerBreakers = defineCall({
  method: "GET",
  path: "/admin/partner_breakers.json",
  summary: "List the partners that are not asked for now because they kept failing",
  access: "admin",
  reply: PartnerBreakers,
});
