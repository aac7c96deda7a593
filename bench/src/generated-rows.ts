/** The traffic that the dashboard is measured on: made inside the store, from hashes of a row's number. */
export const PROVIDERS = Array.from({ length: 14 }, (_, index) => `partner-${String(index + 1).padStart(2, "0")}`);
const COUNTRIES =
  "US DE GB FR JP BR IN CA AU IT ES MX KR NL SE PL TR ID TH VN PH MY SG TW HK AR CL CO PE ZA EG NG KE MA SA AE IL PT GR CZ HU RO BG AT CH BE DK NO FI IE UA KZ NZ PK BD LK CR UY EC DO".split(
    " ",
  );
const PLATFORMS = ["android", "ios", "amazon", "androidtv"];

/** Zones of every app; each asks some of the providers. */
const ZONES = [
  { zone: "home-banner", format: "banner", asked: 14, share: 0.5 },
  { zone: "level-end", format: "interstitial", asked: 12, share: 0.2 },
  { zone: "bonus", format: "rewarded", asked: 10, share: 0.15 },
  { zone: "feed", format: "native", asked: 9, share: 0.1 },
  { zone: "intro", format: "video", asked: 8, share: 0.05 },
] as const;

export const APPS = 12;
export const DAYS = 90;
export const DEVICES = 3_000_000;
/** Of 100 rows, so many are auctions and session starts; most sold auctions show an ad, few are clicked. */
const SHARES = { auctions: 0.58, sessions: 0.08 };

/** The first is the largest: the nth app has 1/n of its traffic. */
export const APP_WEIGHTS = Array.from({ length: APPS }, (_, index) => 1 / (index + 1));

const LOOKUP = 1000;
/** A list in which each value stands as often as its weight says, so that a random place in it is a weighted choice. */
function lookup(values: readonly (string | number)[], weights: readonly number[]): string {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  const list = values.flatMap((value, index) => {
    const from = Math.round((reached / total) * LOOKUP);
    reached += weights[index] ?? 0;
    return Array.from({ length: Math.round((reached / total) * LOOKUP) - from }, () => value);
  });
  return `[${list.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(",")}]`;
}
const harmonic = (count: number) => Array.from({ length: count }, (_, index) => 1 / (index + 2));
const strings = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(",")}]`;

export interface DayRules {
  /** The ids of the apps, the largest first. */
  appIds: readonly number[];
  /** Rows of all kinds in all days together. */
  events: number;
  /** Which day, from 0. */
  day: number;
  /** Epoch seconds of its first moment. */
  startsAt: number;
}

/** The numbers of a day's rows, in pieces that are one block each. Weekends are busier. */
function numbersOf({ events, day }: DayRules, share: number): string[] {
  const rows = Math.round(((events * share) / DAYS) * (1 + 0.2 * Math.sin((2 * Math.PI * day) / 7)));
  const pieces = Math.max(1, Math.ceil(rows / MOST_AT_ONCE));
  const place = (piece: number) => Math.round((rows * piece) / pieces);
  return Array.from({ length: pieces }, (_, piece) => `numbers(${place(piece)}, ${place(piece + 1) - place(piece)})`);
}
const MOST_AT_ONCE = 500_000;

/** What a row's number says of it. */
const common = ({ appIds, day, startsAt }: DayRules, kind: string) => `
  ${lookup(
    appIds.map((_, index) => index + 1),
    APP_WEIGHTS,
  )} AS app_lookup,
  [${appIds.join(",")}] AS app_ids,
  ${lookup(COUNTRIES, harmonic(COUNTRIES.length))} AS country_lookup,
  ${strings(appIds.map((_, index) => PLATFORMS[index % PLATFORMS.length] ?? ""))} AS platforms,
  cityHash64(number, ${day}, '${kind}') AS h,
  app_lookup[1 + h % ${LOOKUP}] AS app_index,
  -- Some devices come far more often than others.
  intDiv(h, 1000) % 1000000 / 1000000 AS often,
  cityHash64(app_index, toUInt64(often * often * ${DEVICES} / (app_index + 1))) AS device,
  country_lookup[1 + device % ${LOOKUP}] AS country,
  cityHash64(h, 'second') % 86400000 / 1000 + ${startsAt} AS moment`;

const auctions = (rules: DayRules, numbers: string) => `
SELECT *,
  ${lookup(
    ZONES.map((_, index) => index + 1),
    ZONES.map(({ share }) => share),
  )} AS zone_lookup,
  zone_lookup[1 + cityHash64(h, 'zone') % ${LOOKUP}] AS zone_index,
  ${strings(ZONES.map(({ zone }) => zone))} AS zones,
  ${strings(ZONES.map(({ format }) => format))} AS formats,
  [${ZONES.map(({ asked }) => strings(PROVIDERS.slice(0, asked))).join(",")}] AS askeds,
  ${lookup(PROVIDERS, harmonic(PROVIDERS.length))} AS provider_lookup,
  provider_lookup[1 + cityHash64(h, 'winner') % ${LOOKUP}] AS best,
  h % 100 < 65 AND has(askeds[zone_index], best) AS sold,
  -- A version 4 UUID: 0x8 and 0x4 where the standard wants them.
  reinterpret(bitOr(bitShiftLeft(toUInt128(bitOr(bitAnd(h, 0x3fffffffffffffff), 0x8000000000000000)), 64),
    toUInt128(bitOr(bitAnd(cityHash64(h, 'id'), 0xffffffffffff0fff), 0x4000))), 'UUID') AS id,
  if(sold, 200000 + cityHash64(h, 'price') % 4000000, 0) AS price
FROM (SELECT ${common(rules, "auction")} FROM ${numbers})`;

const OF_AUCTION = "zones[zone_index], formats[zone_index], country, platforms[app_index]";

/**
 * Generated rows leave out what each partner did, a dozen values per auction, when a device came first, what partners pay, what campaigns are
 * targeted by, how floors were drawn, and of which imp an event is: no measured page reads them from rows.
 */
const COLUMNS = {
  auctions:
    "* EXCEPT(outcomes, latencies_ms, bids_micros, floor_micros, region, os_major, connection, campaign_platform, sizes, campaign_id, creative_id, arm, campaign_ids, creative_ids, arms, media, ask_probabilities, floor_arm, floor_step, floor_probability, expected_micros)",
  events:
    "* EXCEPT(imp_id, gross_micros, first_day, campaign_id, creative_id, arm, stated_micros, expected_micros, paid_micros, paid_told, stored_at)",
} as const;

/** Statements that insert one day's rows, with these ClickHouse settings. */
export function statementsOfDay(rules: DayRules, settings: string): string[] {
  const insert = (table: keyof typeof COLUMNS, rows: string) =>
    `INSERT INTO ${table} (${COLUMNS[table]}) SETTINGS ${settings} ${rows}`;
  return [
    ...numbersOf(rules, SHARES.auctions).flatMap((numbers) => [
      insert("auctions", auctionRows(rules, numbers)),
      insert("events", outcomeRows(rules, numbers)),
    ]),
    ...numbersOf(rules, SHARES.sessions).map((numbers) => insert("events", sessionRows(rules, numbers))),
  ];
}

const auctionRows = (rules: DayRules, numbers: string) => `
SELECT toDateTime64(moment, 3, 'UTC'), id, '1', app_ids[app_index], ${OF_AUCTION}, device, askeds[zone_index],
  if(sold, best, ''), price, if(sold, '', ['no_demand', 'timeout', 'no_bid_above_floor'][1 + h % 3]), 40, 0
FROM (${auctions(rules, numbers)})`;

const outcomeRows = (rules: DayRules, numbers: string) => `
SELECT toDateTime64(least(moment + if(kind = 'click', 5, 1), ${rules.startsAt} + 86399.9), 3, 'UTC'),
  arrayJoin(if(cityHash64(h, 'click') % 100 < 2, ['impression', 'click'], ['impression'])) AS kind,
  concat(substring(kind, 1, 1), hex(h)), id, app_ids[app_index], ${OF_AUCTION}, best, '1.0.0', device,
  if(kind = 'impression', intDiv(price * 8, 10000), 0), 0, 0, if(cityHash64(h, 'invalid') % 200 = 0, 'crawler', ''), 0
FROM (${auctions(rules, numbers)}) WHERE sold AND cityHash64(h, 'shown') % 100 < 92`;

const sessionRows = (rules: DayRules, numbers: string) => `
SELECT toDateTime64(moment, 3, 'UTC'), 'session', concat('s', hex(h)), toUUID('00000000-0000-0000-0000-000000000000'),
  app_ids[app_index], '', '', country, platforms[app_index], '', ['1.0.0', '0.9.2', '0.9.0'][1 + device % 3], device, 0, 0,
  20 + h % 600, '', 0
FROM (SELECT ${common(rules, "session")} FROM ${numbers})`;
