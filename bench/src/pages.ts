import { availableParallelism, loadavg } from "node:os";
import { type Browser, chromium } from "playwright-core";
import { findQuickBrowser } from "../../e2e/support/find-browser.ts";
import { freePort } from "../../server/src/platform/http/free-port.ts";
import type { DashboardData } from "./dashboard-data.ts";
import { withDashboardPlatform } from "./dashboard-platform.ts";
import { type Scores, lighthouseScores } from "./lighthouse-scores.ts";
import type { Figure, Measurement } from "./measurement.ts";
import type { PlatformProcess } from "./platform-process.ts";
import { phoneFigure, phoneNote, phoneScores } from "./phone-scores.ts";
import { median } from "./quantiles.ts";
import { signIn } from "./sign-in.ts";
import { type Visit, visitPage } from "./visit-page.ts";

const RUNS = 5;
const GOALS = { usableMs: 1000, scriptBytes: 200 * 1024, score: 95 } as const;

/** Search engines see none of the dashboard. */
const DASHBOARD_CATEGORIES = ["performance", "accessibility"] as const;

interface MeasuredPage {
  name: string;
  path: string;
  shows: string;
  signedIn: boolean;
}

/** The time, script and scores of a first visit to each page. */
export const pages: Measurement = {
  name: "pages",
  title: "Pages in a browser",
  run: (say) => withDashboardPlatform(say, (data, platform) => measureAll(data, platform, say)),
};

async function measureAll(data: DashboardData, platform: PlatformProcess, say: (line: string) => void) {
  const [largest] = data.apps;
  if (!largest) throw new Error("the generated traffic has no apps");
  const cookie = await signIn(platform, data.signIn);
  const pages = pagesOf(largest.uuid).map((page) => ({
    ...page,
    url: platform.url + page.path,
    ...(page.signedIn && { cookie }),
  }));
  const loads: number[] = [];
  const shells = [EMPTY_SIGNED_IN, EMPTY_PUBLIC].map((page) => ({
    ...page,
    url: platform.url + page.path,
    ...(page.signedIn && { cookie }),
  }));
  const { measured, empty, phone } = await measure({ pages, shells, origin: platform.url }, () =>
    loads.push(loadavg()[0] ?? Number.NaN),
  );
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const page of measured) {
    figures.push(...figuresOf(page, emptyMs(empty, page.signedIn)));
    notes.push(noteOf(page));
    say(notes.at(-1) ?? "");
  }
  for (const page of phone) {
    figures.push(phoneFigure(page));
    notes.push(phoneNote(page));
    say(notes.at(-1) ?? "");
  }
  return { figures, notes: [methodOver(data), ...METHOD, notes.join("\n"), loadNote(loads)] };
}

const pagesOf = (appUuid: string): MeasuredPage[] => [
  { name: "App list", path: "/apps", shows: "#content tbody tr", signedIn: true },
  { name: "Publisher performance", path: "/apps/performance", shows: KEY_FIGURES, signedIn: true },
  { name: "App statistics", path: `/apps/${appUuid}/performance`, shows: KEY_FIGURES, signedIn: true },
  { name: "Landing page", path: "/", shows: "h1", signedIn: false },
];
/** The shell without a page in it, as a baseline. Signed in, the heading is in the shell's header. */
const EMPTY_SIGNED_IN = { path: "/there/is/no/such/page", shows: "header h1", signedIn: true };
const EMPTY_PUBLIC = { path: "/there/is/no/such/page", shows: "h1", signedIn: false };
const KEY_FIGURES = "[aria-label='Key figures'] [aria-pressed]";

type EmptyPage = Omit<MeasuredPage, "name">;
type Address = { url: string; cookie?: string };
type EmptyVisits = EmptyPage & { usableMs: number[] };

const emptyMs = (empty: readonly EmptyVisits[], signedIn: boolean) =>
  median(empty.find((shell) => shell.signedIn === signedIn)?.usableMs ?? []);

interface Measured extends MeasuredPage {
  visits: Visit[];
  scores: Scores[];
}

interface Measurable {
  pages: readonly (MeasuredPage & Address)[];
  shells: readonly (EmptyPage & Address)[];
  origin: string;
}

/** Visits all pages in each round, so that the machine's load affects them equally. */
async function measure(
  { pages, shells, origin }: Measurable,
  onRound: () => void,
): Promise<{ measured: Measured[]; empty: EmptyVisits[]; phone: Awaited<ReturnType<typeof phoneScores>> }> {
  const measured = pages.map((page) => ({ ...page, visits: [] as Visit[], scores: [] as Scores[] }));
  const empty = shells.map((shell) => ({ ...shell, usableMs: [] as number[] }));
  const port = await freePort("127.0.0.1");
  const browser = await launch(port);
  try {
    for (let round = 0; round <= RUNS; round++) {
      for (const { visits, ...page } of measured) {
        const visit = await visitPage(browser, page);
        // The first round is a warm-up.
        if (round > 0) visits.push(visit);
      }
      for (const { usableMs, ...shell } of empty) {
        const visit = await visitPage(browser, shell);
        if (round > 0) usableMs.push(visit.usableMs);
      }
      onRound();
    }
    for (let round = 0; round < RUNS; round++) {
      for (const { scores, url, cookie } of measured) {
        scores.push(await lighthouseScores({ url, port, preset: "desktop", categories: DASHBOARD_CATEGORIES, cookie }));
      }
      onRound();
    }
    const phone = await phoneScores(origin, port, RUNS);
    onRound();
    return { measured, empty, phone };
  } finally {
    await browser.close();
  }
}

/** A browser with a debugging port for Lighthouse. */
const launch = (port: number): Promise<Browser> =>
  chromium.launch({
    executablePath: findQuickBrowser(),
    chromiumSandbox: false,
    args: [`--remote-debugging-port=${port}`, "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
const medianOf = <T>(each: readonly T[], figure: (one: T) => number) => median(each.map(figure));

function figuresOf({ name, visits, scores }: Measured, shellMs: number): Figure[] {
  const usableMs = medianOf(visits, (visit) => visit.usableMs);
  const bytes = medianOf(visits, ({ script }) => script.bytes);
  const performance = medianOf(scores, (score) => score.performance);
  const accessibility = medianOf(scores, (score) => score.accessibility);
  return [
    {
      what: `${name}: usable on a first visit`,
      goal: `≤ ${GOALS.usableMs / 1000} s`,
      measured: `${(usableMs / 1000).toFixed(2)} s; ${(usableMs / shellMs).toFixed(2)} × an empty page (${(shellMs / 1000).toFixed(2)} s)`,
      reached: usableMs <= GOALS.usableMs,
    },
    {
      what: `${name}: script of a first visit, gzip`,
      goal: `≤ ${kilobytes(GOALS.scriptBytes)}`,
      measured: kilobytes(bytes),
      reached: bytes <= GOALS.scriptBytes,
    },
    {
      what: `${name}: Lighthouse, performance and accessibility`,
      goal: `≥ ${GOALS.score}`,
      measured: `${performance} and ${accessibility}`,
      reached: Math.min(performance, accessibility) >= GOALS.score,
    },
  ];
}

function noteOf({ name, path, visits, scores }: Measured): string {
  const all = (figure: (score: Scores) => number) =>
    scores
      .map(figure)
      .toSorted((a, b) => a - b)
      .join(", ");
  const withCharts = medianOf(visits, ({ script }) => script.withCharts);
  const sent = medianOf(visits, ({ script }) => script.sent);
  const times = visits.map(({ usableMs }) => usableMs.toFixed(0)).join(", ");
  const faults = [...new Set(scores.flatMap((score) => score.faults))];
  return (
    `- ${name} (\`${path.replace(/[0-9a-f-]{36}/, "{uuid}")}\`): usable after ${times} ms; script with charts and map ` +
    `${kilobytes(withCharts)} as gzip, sent as ${kilobytes(sent)}; performance ${all(({ performance }) => performance)}; ` +
    `accessibility ${all(({ accessibility }) => accessibility)}; not green: ${faults.join(", ") || "nothing"}.`
  );
}

/** Times and performance scores are only meaningful on an otherwise idle machine, so the load is reported. */
const loadNote = (loads: readonly number[]) =>
  `The machine's load average was between ${Math.min(...loads).toFixed(1)} and ${Math.max(...loads).toFixed(1)} on ` +
  `${availableParallelism()} cores, including the browser and the platform.`;

const methodOver = ({ rows, apps }: DashboardData) =>
  `Medians of ${RUNS} rounds of visits with an empty cache, after a warm-up, over the traffic of \`dashboard\`: ` +
  `${(rows / 1e6).toFixed(0)} M rows of ${apps.length} apps, of which the largest is measured; signed in, 1440 by 900 pixels. A list ` +
  "is usable when its first row is visible, a statistics page when its key figures are, measured in the page from the start of " +
  "the navigation.";

const METHOD = [
  "The baseline is a page that does not exist, visited in each round like the others: the same shell, signed in or not, with a single " +
    "sentence. It is usable when its heading is visible.",
  "Script is everything that loads until the page is idle, compressed by gzip at its highest level. The code of charts and the map " +
    "is loaded after the page's and counted separately.",
  `Lighthouse 12 runs ${RUNS} times on each page with its desktop preset: simulated throttling of the connection, none of the processor. ` +
    "The browser remembers the login, as in the visits. " +
    "Chromium's headless shell is used where it is installed: without a graphics processor, a whole Chromium draws in the page's own " +
    "processor time. The public pages run as often with its default for phones, a slow connection and a quarter of the processor.",
];
