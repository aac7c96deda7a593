import { z } from "zod";
import { INVOICE_CHECKS, type InvoiceSettings } from "./invoice-settings.ts";
import { listedSecrets } from "./secrets/load-secrets.ts";
import {
  address,
  countries,
  flag,
  GDPR_COUNTRIES,
  host,
  issuer,
  listOf,
  oneLine,
  publicAddress,
  settingFault,
  sharePercent,
} from "./setting-checks.ts";
import { StartError } from "./start-error.ts";

const OPERATOR = "The operator of this platform";

/** Every setting, its check and its default. README's table of settings is checked against this list. */
const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: host.default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("data"),
  /** The address people and devices use; links and beacons carry it. Default: `http://HOST:PORT`. */
  PUBLIC_URL: publicAddress.optional(),
  DATABASE_URL: address(["postgres:", "postgresql:"]).optional(),
  CLICKHOUSE_URL: address(["http:", "https:"]).optional(),
  /** What several exchange processes share; required if there are several. */
  REDIS_URL: address(["redis:", "rediss:"]).optional(),
  /** Exchange processes on this machine, on one port. */
  EXCHANGES: z.coerce.number().int().min(1).max(64).default(1),
  /** An S3-compatible bucket for uploaded files: `https://KEY:SECRET@host/bucket?region=…`. Default: DATA_DIR/files. */
  FILES_URL: address(["http:", "https:"])
    .refine(
      (text) => !URL.canParse(text) || (new URL(text).username !== "" && new URL(text).pathname.length > 1),
      "must have a key, a secret and a bucket: https://KEY:SECRET@host/bucket",
    )
    .optional(),
  /** Key of beacon signatures and device hashes, 32 bytes or more; generated and kept in DATA_DIR when unset. */
  MILLRACE_SECRET: z
    .string()
    .refine(
      (setting) => listedSecrets(setting).every((secret) => secret.length >= 32),
      "must have 32 characters or more each",
    )
    .refine((setting) => listedSecrets(setting).length > 0, "must not be empty")
    .optional(),
  MILLRACE_DEMO: flag.optional(),
  MILLRACE_DEMO_PASSWORD: z.string().min(6).max(128).optional(),
  MILLRACE_DEMO_SEED: z.string().min(1).max(64).default("millrace"),
  /** The publisher's share of the cleared price, in percent. */
  REVENUE_SHARE_PERCENT: sharePercent.default(80),
  /** The day of the month on which the month before is paid out. */
  PAYOUT_DAY: z.coerce.number().int().min(1).max(28).default(15),
  /** In dollars; less stays on the balance. */
  PAYOUT_MINIMUM: z.coerce.number().min(1).max(100_000).default(100),
  /** The operator's payer name at Tipalti, which then pays publishers. */
  TIPALTI_PAYER: oneLine.max(50).optional(),
  /** The payer's API key. */
  TIPALTI_KEY: oneLine.optional(),
  TIPALTI_SANDBOX: flag.default(false),
  /** Share of auctions whose full trace is kept outside demo mode, in percent. */
  TRACE_PERCENT: z.coerce.number().min(0).max(100).default(1),
  /**
   * The operator's copy of the IAB's Global Vendor List (`vendor-list.json`): the declarations of the partners'
   * vendors.
   */
  GVL_FILE: z.string().min(1).optional(),
  /** Where the GDPR applies to a request that says nothing about it: ISO 3166-1 codes separated by commas, or `none`. */
  GDPR_COUNTRIES: countries.default([...GDPR_COUNTRIES]),
  /** A daily file of exchange rates in the format of the European Central Bank: a path, or an address to fetch it from. */
  CURRENCY_RATES: z.string().min(1).optional(),
  /** How many days an exchange rate may be used. */
  CURRENCY_RATES_DAYS: z.coerce.number().int().min(1).max(90).default(7),
  /** The ids under which Apple knows the operator's ad network, separated by commas: postbacks for others are refused. */
  AD_NETWORK_IDS: z
    .string()
    .regex(/^[\w.-]+(\s*,\s*[\w.-]+)*$/, "must be ids separated by commas")
    .optional(),
  /** The number of proxies in front of the platform; X-Forwarded-For is read from behind them. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** Dashboard calls per user and minute; an access token has a fifth of them. */
  CALLS_PER_MINUTE: z.coerce.number().int().min(60).max(10_000_000).default(600),
  /** Restricts `/metrics`, `/readyz` and `/docs` to requests that send it as `Authorization: Bearer`. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must be 16 characters or more, without spaces")
    .optional(),
  /**
   * Days for which raw rows are kept. Repeated beacons are detected by the events of one day, which may span midnight.
   */
  RAW_AUCTIONS_DAYS: z.coerce.number().int().min(2).max(36_500).default(30),
  RAW_EVENTS_DAYS: z.coerce.number().int().min(2).max(36_500).default(30),
  /** The most imps of one ad request, the largest request body, and the imps per second of one address. */
  MAX_IMPS: z.coerce.number().int().min(1).max(100).default(20),
  MAX_REQUEST_KB: z.coerce.number().int().min(16).max(1024).default(64),
  IMPS_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(100),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  /** The server that takes mails; unset, they become files in DATA_DIR/mail. */
  SMTP_URL: address(["smtp:", "smtps:"]).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\p{Cc}<>]*<[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+>|[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+)$/u,
      "must be `Name <address>` in one line",
    )
    .default("Millrace <no-reply@localhost>"),
  OPERATOR_NAME: oneLine.optional(),
  /** Where support messages are sent. */
  OPERATOR_EMAIL: z.email().optional(),
  /** The operator's postal address, for the legal pages and invoices. */
  OPERATOR_ADDRESS: oneLine.optional(),
  OPERATOR_COUNTRY: INVOICE_CHECKS.country,
  OPERATOR_VAT_ID: INVOICE_CHECKS.vatId,
  INVOICE_PREFIX: INVOICE_CHECKS.prefix,
  INVOICES_FROM: INVOICE_CHECKS.from,
  INVOICE_DUE_DAYS: INVOICE_CHECKS.dueDays,
  VAT_OSS: INVOICE_CHECKS.oss,
  GOOGLE_CLIENT_ID: oneLine.optional(),
  GOOGLE_CLIENT_SECRET: oneLine.optional(),
  GOOGLE_ISSUER: issuer.default("https://accounts.google.com"),
  FACEBOOK_CLIENT_ID: oneLine.optional(),
  FACEBOOK_CLIENT_SECRET: oneLine.optional(),
  FACEBOOK_ISSUER: issuer.default("https://www.facebook.com"),
  INTERCOM_APP_ID: oneLine.optional(),
  /** Proves a visitor's identity to the support service. */
  INTERCOM_SECRET: oneLine.optional(),
});
type Values = z.output<typeof Environment>;
export const SETTING_NAMES = Object.keys(Environment.shape);

/** An identity provider that people sign in with (OpenID Connect). */
export interface IdentityProviderSettings {
  clientId: string;
  clientSecret: string;
  issuer: string;
}

/** The operator's account at Tipalti, or in its sandbox. */
export interface TipaltiSettings {
  payer: string;
  key: string;
  sandbox: boolean;
}

/** The platform's configuration, parsed once at start. */
export interface Settings {
  port: number;
  host: string;
  dataDir: string;
  /** Without a trailing slash; built from host and port when unset. */
  publicUrl: string | undefined;
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  redisUrl: string | undefined;
  exchanges: number;
  filesUrl: string | undefined;
  secret: string | undefined;
  /** Demo mode: asked for, or the default on stores of our own. */
  demo: boolean;
  demoPassword: string | undefined;
  demoSeed: string;
  revenueSharePpm: number;
  payouts: { day: number; minimumMicros: number };
  invoices: InvoiceSettings;
  /** Absent if the built-in provider pays. */
  tipalti: TipaltiSettings | undefined;
  /** None if the operator's ad network is not registered with Apple. */
  adNetworkIds: string[];
  traceShare: number;
  vendorListPath: string | undefined;
  gdprCountries: ReadonlySet<string>;
  /** Where exchange rates are read from: a path or an address. */
  currencyRates: string | undefined;
  rateDays: number;
  trustedProxies: number;
  callsPerMinute: number;
  metricsToken: string | undefined;
  /** The minimum days for which each raw table's rows are kept. */
  retentionDays: { auctions: number; events: number };
  /** Limits of one ad request and of one address on the exchange. */
  intake: { maxImps: number; maxBodyBytes: number; impsPerSecond: number };
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  smtpUrl: string | undefined;
  /** `Name <address>`. */
  mailFrom: string;
  operator: { name: string; email: string | undefined; address: string | undefined };
  /** An identity provider without settings is not offered. */
  social: { google?: IdentityProviderSettings; facebook?: IdentityProviderSettings };
  intercom: { appId: string; secret: string } | undefined;
}

/** Reads the settings; a wrong one is a StartError that names it. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));
  const parsed = Environment.safeParse(set, { error: settingFault });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new StartError(`The setting ${name} is wrong: ${issue?.message ?? "not readable"}.`);
  }
  const value = parsed.data;
  const demo = value.MILLRACE_DEMO ?? value.DATABASE_URL === undefined;
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir: value.DATA_DIR,
    publicUrl: value.PUBLIC_URL?.replace(/\/+$/, ""),
    databaseUrl: value.DATABASE_URL,
    clickhouseUrl: value.CLICKHOUSE_URL,
    redisUrl: value.REDIS_URL,
    exchanges: value.EXCHANGES,
    filesUrl: value.FILES_URL,
    secret: value.MILLRACE_SECRET,
    demo,
    demoPassword: value.MILLRACE_DEMO_PASSWORD,
    demoSeed: value.MILLRACE_DEMO_SEED,
    adNetworkIds: listOf((value.AD_NETWORK_IDS ?? "").toLowerCase()),
    payouts: { day: value.PAYOUT_DAY, minimumMicros: Math.round(value.PAYOUT_MINIMUM * 1_000_000) },
    invoices: {
      name: value.OPERATOR_NAME,
      address: value.OPERATOR_ADDRESS,
      country: value.OPERATOR_COUNTRY,
      vatId: value.OPERATOR_VAT_ID,
      prefix: value.INVOICE_PREFIX,
      from: value.INVOICES_FROM,
      dueDays: value.INVOICE_DUE_DAYS,
      ossRegistered: value.VAT_OSS,
    },
    tipalti: tipaltiOf(value, demo),
    revenueSharePpm: Math.round(value.REVENUE_SHARE_PERCENT * 10_000),
    traceShare: value.TRACE_PERCENT / 100,
    vendorListPath: value.GVL_FILE,
    gdprCountries: new Set(value.GDPR_COUNTRIES),
    currencyRates: value.CURRENCY_RATES,
    rateDays: value.CURRENCY_RATES_DAYS,
    trustedProxies: value.TRUSTED_PROXIES,
    callsPerMinute: value.CALLS_PER_MINUTE,
    metricsToken: value.METRICS_TOKEN,
    retentionDays: { auctions: value.RAW_AUCTIONS_DAYS, events: value.RAW_EVENTS_DAYS },
    intake: {
      maxImps: value.MAX_IMPS,
      maxBodyBytes: value.MAX_REQUEST_KB * 1024,
      impsPerSecond: value.IMPS_PER_SECOND,
    },
    logLevel: value.LOG_LEVEL,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    operator: { name: value.OPERATOR_NAME ?? OPERATOR, email: value.OPERATOR_EMAIL, address: value.OPERATOR_ADDRESS },
    social: socialOf(value),
    intercom: intercomOf(value),
  };
}

function socialOf(value: Values): Settings["social"] {
  const google = together(value, "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET");
  const facebook = together(value, "FACEBOOK_CLIENT_ID", "FACEBOOK_CLIENT_SECRET");
  return {
    ...(google && { google: { clientId: google[0], clientSecret: google[1], issuer: value.GOOGLE_ISSUER } }),
    ...(facebook && { facebook: { clientId: facebook[0], clientSecret: facebook[1], issuer: value.FACEBOOK_ISSUER } }),
  };
}

function intercomOf(value: Values): Settings["intercom"] {
  const pair = together(value, "INTERCOM_APP_ID", "INTERCOM_SECRET");
  return pair && { appId: pair[0], secret: pair[1] };
}

function tipaltiOf(value: Values, demo: boolean): Settings["tipalti"] {
  const pair = together(value, "TIPALTI_PAYER", "TIPALTI_KEY");
  // A demo's earnings are made up.
  if (pair && demo) throw new StartError("The setting TIPALTI_PAYER is wrong: a demo must not pay anybody.");
  return pair && { payer: pair[0], key: pair[1], sandbox: value.TIPALTI_SANDBOX };
}

type PairName =
  | "GOOGLE_CLIENT_ID"
  | "GOOGLE_CLIENT_SECRET"
  | "FACEBOOK_CLIENT_ID"
  | "FACEBOOK_CLIENT_SECRET"
  | "TIPALTI_PAYER"
  | "TIPALTI_KEY"
  | "INTERCOM_APP_ID"
  | "INTERCOM_SECRET";

/** Two settings that are useless without each other. */
function together(value: Values, one: PairName, other: PairName): [string, string] | undefined {
  const pair = [value[one], value[other]] as const;
  if (pair[0] === undefined && pair[1] === undefined) return undefined;
  if (pair[0] === undefined) throw new StartError(`The setting ${one} is missing: ${other} is set without it.`);
  if (pair[1] === undefined) throw new StartError(`The setting ${other} is missing: ${one} is set without it.`);
  return [pair[0], pair[1]];
}
