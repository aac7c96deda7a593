import type { CountryCode } from "./countries.ts";
import type { DemoApp, DemoZone } from "./demo-app.ts";

/** The countries of an app's users, weighted. */
export const AUDIENCES = {
  world: { US: 24, GB: 6, DE: 7, FR: 5, ES: 4, IT: 4, BR: 10, MX: 6, IN: 14, ID: 7, TR: 4, PL: 3, JP: 4, PH: 2 },
  west: { US: 42, CA: 7, GB: 13, DE: 10, FR: 6, NL: 4, SE: 3, AU: 7, ES: 4, IT: 4 },
  asia: { JP: 26, KR: 17, TW: 9, ID: 13, VN: 10, PH: 8, IN: 11, US: 6 },
  south: { BR: 27, MX: 17, AR: 10, IN: 16, NG: 7, ZA: 6, TR: 8, ID: 9 },
  livingRoom: { US: 58, CA: 9, GB: 13, DE: 7, AU: 5, FR: 4, MX: 4 },
} as const satisfies Record<string, Partial<Record<CountryCode, number>>>;

/** An app of this file; `catalogue.ts` turns it into a `DemoApp`. */
export interface AppFacts extends Omit<DemoApp, "logoUrl" | "audience"> {
  logo: { colours: readonly [string, string]; shape: string };
  audience: keyof typeof AUDIENCES;
}

const banner = (perSession: number): DemoZone => ({
  zone: "main_banner",
  name: "Main banner",
  format: "banner",
  perSession,
  size: [320, 50],
  refreshSeconds: 30,
});
const interstitial = (perSession: number, zone = "level_end", name = "End of level"): DemoZone => ({
  zone,
  name,
  format: "interstitial",
  perSession,
  size: [320, 480],
  refreshSeconds: 60,
});
const rewarded = (
  perSession: number,
  zone = "extra_life",
  name = "Extra life",
  reward?: DemoZone["reward"],
): DemoZone => ({
  zone,
  name,
  format: "rewarded",
  perSession,
  size: [480, 320],
  refreshSeconds: 60,
  ...(reward && { reward }),
});
const native = (perSession: number, zone: string, name: string): DemoZone => ({
  zone,
  name,
  format: "native",
  perSession,
  refreshSeconds: 45,
});
const video = (perSession: number, zone: string, name: string): DemoZone => ({
  zone,
  name,
  format: "video",
  perSession,
  size: [1280, 720],
  refreshSeconds: 60,
});
const audio = (perSession: number): DemoZone => ({
  zone: "between_songs",
  name: "Between songs",
  format: "audio",
  perSession,
  refreshSeconds: 120,
});

export const APPS: readonly AppFacts[] = [
  {
    slug: "tide-puzzle-android",
    name: "Tide Puzzle",
    bundleId: "com.example.tidepuzzle",
    platform: "android",
    logo: {
      colours: ["#0c8599", "#66d9e8"],
      shape:
        '<path d="M8 28c5-7 11-7 16 0s11 7 16 0" stroke="#fff" stroke-width="5" fill="none" stroke-linecap="round"/><circle cx="24" cy="15" r="5" fill="#ffe066"/>',
    },
    rhythm: "game",
    dailyActives: 1060,
    sessionsPerActive: 2.7,
    sessionSeconds: 260,
    audience: "world",
    zones: [banner(2.8), interstitial(0.9), rewarded(0.55)],
  },
  {
    slug: "tide-puzzle-ios",
    name: "Tide Puzzle",
    bundleId: "com.example.tidepuzzle.ios",
    platform: "ios",
    logo: {
      colours: ["#0c8599", "#99e9f2"],
      shape:
        '<path d="M8 28c5-7 11-7 16 0s11 7 16 0" stroke="#fff" stroke-width="5" fill="none" stroke-linecap="round"/><circle cx="24" cy="15" r="5" fill="#fff"/>',
    },
    rhythm: "game",
    dailyActives: 820,
    sessionsPerActive: 2.9,
    sessionSeconds: 280,
    audience: "west",
    zones: [banner(2.6), interstitial(0.9), rewarded(0.65)],
  },
  {
    slug: "lantern-runner-android",
    name: "Lantern Runner",
    bundleId: "com.example.lanternrunner",
    platform: "android",
    logo: {
      colours: ["#5f3dc4", "#ff922b"],
      shape: '<path d="M18 12h12l3 18-9 8-9-8z" fill="#ffe8cc"/><circle cx="24" cy="23" r="5" fill="#ff922b"/>',
    },
    rhythm: "game",
    dailyActives: 900,
    sessionsPerActive: 3.2,
    sessionSeconds: 190,
    audience: "south",
    zones: [banner(1.6), interstitial(1.4), rewarded(0.8)],
  },
  {
    slug: "word-orchard-ios",
    name: "Word Orchard",
    bundleId: "com.example.wordorchard",
    platform: "ios",
    logo: {
      colours: ["#2b8a3e", "#a9e34b"],
      shape:
        '<circle cx="24" cy="27" r="12" fill="#fff"/><path d="M24 15c0-5 3-8 8-8-1 5-3 8-8 8z" fill="#fff"/><path d="M19 31l5-11 5 11M21 27h6" stroke="#2b8a3e" stroke-width="2.5" fill="none"/>',
    },
    rhythm: "game",
    dailyActives: 640,
    sessionsPerActive: 2.4,
    sessionSeconds: 340,
    audience: "west",
    zones: [
      banner(3.4),
      native(0.8, "word_of_the_day", "Word of the day"),
      rewarded(0.5, "hint", "Hint", { name: "hints", amount: 3 }),
    ],
  },
  {
    slug: "star-lanes-android",
    name: "Star Lanes",
    bundleId: "com.example.starlanes",
    platform: "android",
    logo: {
      colours: ["#10143a", "#4263eb"],
      shape: '<path d="M24 8l4 11 12 1-9 7 3 12-10-7-10 7 3-12-9-7 12-1z" fill="#ffd43b"/>',
    },
    rhythm: "game",
    dailyActives: 620,
    sessionsPerActive: 2.8,
    sessionSeconds: 240,
    audience: "asia",
    zones: [
      interstitial(1.3),
      rewarded(0.9, "double_score", "Double score", { name: "coins", amount: 50 }),
      banner(1.4),
    ],
  },
  {
    slug: "quiet-radio-android",
    name: "Quiet Radio",
    bundleId: "com.example.quietradio",
    platform: "android",
    logo: {
      colours: ["#364fc3", "#748ffc"],
      shape:
        '<rect x="9" y="18" width="30" height="20" rx="4" fill="#fff"/><circle cx="18" cy="28" r="6" fill="#364fc3"/><path d="M14 18L32 9M28 25h7M28 31h7" stroke="#fff" stroke-width="2.5"/><path d="M28 25h7M28 31h7" stroke="#364fc3" stroke-width="2.5"/>',
    },
    rhythm: "radio",
    dailyActives: 560,
    sessionsPerActive: 1.9,
    sessionSeconds: 900,
    audience: "west",
    zones: [audio(2.6), banner(2), native(0.5, "station_list", "List of stations")],
  },
  {
    slug: "northlight-weather-android",
    name: "Northlight Weather",
    bundleId: "com.example.northlight",
    platform: "android",
    logo: {
      colours: ["#1864ab", "#74c0fc"],
      shape:
        '<circle cx="30" cy="18" r="8" fill="#ffd43b"/><path d="M14 36a8 8 0 0 1 1-15 10 10 0 0 1 19 3 6 6 0 0 1 0 12z" fill="#fff"/>',
    },
    rhythm: "tool",
    dailyActives: 1150,
    sessionsPerActive: 2.1,
    sessionSeconds: 60,
    audience: "world",
    zones: [banner(1.5), native(0.9, "hourly_list", "Hourly list")],
  },
  {
    slug: "pocket-ledger-ios",
    name: "Pocket Ledger",
    bundleId: "com.example.pocketledger",
    platform: "ios",
    logo: {
      colours: ["#2f9e44", "#0b3d20"],
      shape:
        '<rect x="11" y="9" width="26" height="30" rx="4" fill="#fff"/><path d="M16 17h16M16 24h16M16 31h9" stroke="#2f9e44" stroke-width="3"/>',
    },
    rhythm: "tool",
    dailyActives: 700,
    sessionsPerActive: 1.7,
    sessionSeconds: 110,
    audience: "west",
    zones: [native(1.1, "overview", "Overview"), banner(1.3)],
  },
  {
    slug: "paper-fleet-amazon",
    name: "Paper Fleet",
    bundleId: "com.example.paperfleet",
    platform: "amazon",
    logo: {
      colours: ["#e8590c", "#ffc078"],
      shape: '<path d="M8 28h32l-7 10H15z" fill="#fff"/><path d="M24 9l11 17H13z" fill="#fff4e6"/>',
    },
    rhythm: "game",
    dailyActives: 260,
    sessionsPerActive: 2.3,
    sessionSeconds: 300,
    audience: "west",
    zones: [banner(2.4), interstitial(1), rewarded(0.5)],
  },
  {
    slug: "harbour-cinema-androidtv",
    name: "Harbour Cinema",
    bundleId: "com.example.harbourcinema.tv",
    platform: "androidtv",
    logo: {
      colours: ["#862e9c", "#f06595"],
      shape:
        '<rect x="8" y="12" width="32" height="24" rx="4" fill="#fff"/><path d="M20 18l11 6-11 6z" fill="#862e9c"/>',
    },
    rhythm: "television",
    dailyActives: 300,
    sessionsPerActive: 1.6,
    sessionSeconds: 1300,
    audience: "world",
    zones: [video(3.1, "before_the_film", "Before the film"), video(1.9, "mid_break", "Break")],
  },
  {
    slug: "harbour-cinema-tvos",
    name: "Harbour Cinema",
    bundleId: "com.example.harbourcinema.appletv",
    platform: "tvos",
    logo: {
      colours: ["#5f3dc4", "#f06595"],
      shape:
        '<rect x="8" y="12" width="32" height="24" rx="4" fill="#fff"/><path d="M20 18l11 6-11 6z" fill="#5f3dc4"/>',
    },
    rhythm: "television",
    dailyActives: 210,
    sessionsPerActive: 1.7,
    sessionSeconds: 1400,
    audience: "livingRoom",
    zones: [video(3, "before_the_film", "Before the film"), video(2, "mid_break", "Break")],
  },
  {
    slug: "drift-karts-firetv",
    name: "Drift Karts",
    bundleId: "com.example.driftkarts",
    platform: "firetv",
    logo: {
      colours: ["#c92a2a", "#ffa94d"],
      shape:
        '<path d="M9 30l5-11h16l9 11z" fill="#fff"/><circle cx="16" cy="33" r="5" fill="#212529"/><circle cx="33" cy="33" r="5" fill="#212529"/>',
    },
    rhythm: "game",
    dailyActives: 240,
    sessionsPerActive: 1.9,
    sessionSeconds: 600,
    audience: "livingRoom",
    zones: [video(1.6, "race_start", "Start of the race"), rewarded(0.7, "new_tyres", "New tyres")],
  },
  {
    slug: "evening-hearth-tizentv",
    name: "Evening Hearth",
    bundleId: "com.example.eveninghearth",
    platform: "tizentv",
    logo: {
      colours: ["#2b1a12", "#d9480f"],
      shape:
        '<path d="M24 8c2 8 11 11 11 21a11 11 0 0 1-22 0c0-6 5-8 5-14 4 2 5 5 6 8 1-5 1-10 0-15z" fill="#ffd8a8"/>',
    },
    rhythm: "television",
    dailyActives: 190,
    sessionsPerActive: 1.4,
    sessionSeconds: 1500,
    audience: "world",
    zones: [video(2.4, "on_the_hour", "On the hour"), audio(1.6)],
  },
  {
    slug: "small-kitchen-roku",
    name: "Small Kitchen",
    bundleId: "com.example.smallkitchen",
    platform: "roku",
    logo: {
      colours: ["#087f5b", "#b2f2bb"],
      shape:
        '<path d="M10 22h28v6a12 12 0 0 1-12 12h-4a12 12 0 0 1-12-12z" fill="#fff"/><path d="M18 17c0-4 3-3 3-8M27 17c0-4 3-3 3-8" stroke="#fff" stroke-width="3" fill="none"/>',
    },
    rhythm: "television",
    dailyActives: 230,
    sessionsPerActive: 1.5,
    sessionSeconds: 1000,
    audience: "livingRoom",
    zones: [video(2.8, "recipe_start", "Start of the recipe"), video(1.2, "recipe_end", "End of the recipe")],
  },
];
