import { CAMPAIGN_FORMATS, CAMPAIGN_FORMAT_LABELS, countryOfRegion } from "@millrace/contract";
import { addDays, eachDay, formatCountExact, formatDay, formatMoneyExact } from "@millrace/units";
import { type CapDraft, type Draft, isMoment } from "./draft.ts";
import { DAYS } from "./local-time.ts";
import type { Words } from "./summary-panel.tsx";
import { amountOf } from "./typed.ts";

/** What the campaign of a draft will do, made of the draft alone. `countries` are names by code. */
export function campaignWords(draft: Draft, countries: Readonly<Record<string, string>>): Words[] {
  return [
    { about: "Runs", ...runs(draft) },
    { about: "On", ...days(draft) },
    { about: "Where", ...places(draft, countries) },
    { about: "Devices", ...devices(draft) },
    { about: "Bids", ...bids(draft) },
    { about: "Spends", ...spends(draft) },
    { about: "Caps", ...caps(draft) },
    { about: "Shows", ...shows(draft) },
  ];
}

type Sentence = Omit<Words, "about">;
const missing = (text: string): Sentence => ({ text, open: true });

function runs({ starts_now, start_date, start_time, end_date, end_time }: Draft): Sentence {
  if (!isMoment(start_date, start_time)) return missing("No start yet");
  const from = starts_now ? "From now on" : `From ${formatDay(start_date)}, ${start_time} UTC`;
  if (end_date.trim() === "") return { text: `${from}, until it is stopped or its budget is spent` };
  if (!isMoment(end_date, end_time)) return missing(`${from}; its end cannot be read`);
  return { text: `${from}, to ${formatDay(end_date)}, ${end_time} UTC` };
}

function days({ days: chosen, day_activity_from: from, day_activity_to: to }: Draft): Sentence {
  if (chosen.length === 0) return missing("No day of the week is chosen");
  const hours = from === "00:00" && to === "23:59" ? "at any hour" : `${from} to ${to} UTC`;
  return { text: `${dayNames(chosen)}, ${hours}` };
}

/** Consecutive days as ranges: `Mon to Wed, Fri`. */
function dayNames(chosen: readonly number[]): string {
  if (chosen.length === DAYS.length) return "Every day";
  const runsOfDays: number[][] = [];
  for (const day of chosen) {
    const last = runsOfDays.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runsOfDays.push([day]);
  }
  const name = (day: number | undefined) => DAYS[(day ?? 1) - 1]?.label ?? "";
  return runsOfDays
    .map((run) => (run.length > 2 ? `${name(run[0])} to ${name(run.at(-1))}` : run.map(name).join(", ")))
    .join(", ");
}

const NAMED_COUNTRIES = 4;

function places({ geo_type, country, region }: Draft, countries: Readonly<Record<string, string>>): Sentence {
  if (country.length === 0) {
    return geo_type === "not_in" ? { text: "In every country" } : missing("No country is chosen");
  }
  const names = country.map((code) => {
    const name = countries[code] ?? code;
    const count = region.filter((one) => countryOfRegion(one) === code).length;
    return count === 0 ? name : `${name} (${count === 1 ? "1 region" : `${count} regions`})`;
  });
  const shown = names.length > NAMED_COUNTRIES ? names.slice(0, NAMED_COUNTRIES - 1) : names;
  const rest = names.length - shown.length;
  const list = joined(rest > 0 ? [...shown, `${rest} more`] : shown);
  return { text: geo_type === "in" ? `In ${list}` : `Everywhere but in ${list}` };
}

function devices({ platform, ios, android, network, store_id, app_platform }: Draft): Sentence {
  if (platform.length === 0) return missing("No platform is chosen");
  const apple = [
    ...(platform.includes("iphone") ? ["iPhone"] : []),
    ...(platform.includes("ipad") ? ["iPad"] : []),
  ].join(" and ");
  const kinds = [
    ...(apple === "" ? [] : [`${apple}${versions("iOS", ios)}`]),
    ...(platform.includes("android") ? [`Android${versions("", android)}`] : []),
  ];
  const text = kinds.join("; ") + (network === "wifi" ? ", on Wi-Fi only" : ", on any network");
  const unfit = app_platform === "ios" ? (platform.includes("android") ? "Android" : "") : apple;
  return store_id === "" || unfit === "" ? { text } : missing(`${text}. The app cannot be installed on ${unfit}`);
}

const versions = (system: string, { all, min, max }: Draft["ios"]): string =>
  all ? ", all versions" : ` with ${system === "" ? "version" : system} ${min} to ${max}`;

const PER_THOUSAND = 1000n;

function bids({ bid }: Draft): Sentence {
  const [value, daily] = [amountOf(bid.value), amountOf(bid.daily)];
  if (value <= 0) return missing("No bid yet");
  const bought = daily > 0 ? Number((BigInt(daily) * PER_THOUSAND) / BigInt(value)) : 0;
  const text = `Up to ${formatMoneyExact(value)} for 1,000 impressions`;
  return { text: bought > 0 ? `${text}: at that price a day's money buys ${formatCountExact(bought)}` : text };
}

function spends(draft: Draft): Sentence {
  const [budget, daily] = [amountOf(draft.budget), amountOf(draft.bid.daily)];
  if (daily <= 0) return missing("No amount for a day yet");
  if (budget < 0) return missing("The budget cannot be read");
  const count = activeDays(draft);
  const most = count === null ? budget : budget === 0 ? daily * count : Math.min(budget, daily * count);
  const aDay = `At most ${formatMoneyExact(daily)} a day`;
  if (count === 0) return missing("Nothing: none of its days and hours is between its start and its end");
  if (most === 0) return { text: `${aDay}, without a limit in all` };
  const over = count === null ? "" : ` (${count === 1 ? "1 day" : `${formatCountExact(count)} days`})`;
  return { text: `${aDay} and ${formatMoneyExact(most)} in all${over}` };
}

const MOST_DAYS = 3660;

/** The UTC days on which the campaign runs at some hour; null without an end, or if that is too far to count. */
export function activeDays(draft: Draft): number | null {
  const { start_date, start_time, end_date, end_time, days: chosen, day_activity_from, day_activity_to } = draft;
  if (!isMoment(start_date, start_time) || !isMoment(end_date, end_time)) return null;
  if (end_date > addDays(start_date, MOST_DAYS)) return null;
  return eachDay({ ds: start_date, de: end_date }).filter((day) => {
    const from = day === start_date && start_time > day_activity_from ? start_time : day_activity_from;
    const to = day === end_date && end_time < day_activity_to ? end_time : day_activity_to;
    return chosen.includes(weekday(day)) && from < to;
  }).length;
}

/** Of a UTC day. `getUTCDay` calls Sunday 0. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

function caps({ limit }: Draft): Sentence {
  if (limit.length === 0) return { text: "None: one device may see it any number of times" };
  if (limit.some(({ impressions, period, per }) => !/^\s*[1-9]\d*\s*$/.test(impressions) || !period || !per))
    return missing("A limit is not complete");
  return { text: `At most ${joined(limit.map(capText))}` };
}

const capText = ({ impressions, period, per }: CapDraft): string => {
  const count = Number(impressions);
  const times = `${formatCountExact(count)} ${count === 1 ? "impression" : "impressions"}`;
  return `${times} ${per === "user" ? "per device" : "on all devices"} each ${period}`;
};

function shows({ creatives }: Draft): Sentence {
  if (creatives.length === 0) return missing("No creative yet");
  const kinds = CAMPAIGN_FORMATS.flatMap((format) => {
    const count = creatives.filter((creative) => creative.format === format).length;
    const name = CAMPAIGN_FORMAT_LABELS[format].toLowerCase();
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  const blocked = creatives.filter(({ status }) => status === "blocked").length;
  const waiting = creatives.filter(({ status }) => status === null || status === "new" || status === "edited").length;
  const notes = [
    ...(waiting > 0 ? [`${waiting} to be reviewed first`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
  ];
  return { text: joined(kinds) + (notes.length > 0 ? `; ${notes.join(", ")}` : "") };
}

const joined = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
