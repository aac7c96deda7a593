import type { ClickHouseClient } from "@clickhouse/client";
import { PLATFORM_LABELS } from "@millrace/contract";
import { escapeHtml } from "@millrace/openrtb";
import { partners } from "@millrace/partners";
import { addDays, dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { grouped } from "../../platform/grouped.ts";
import type { Log } from "../../platform/log.ts";
import type { Statistics } from "../statistics/index.ts";
import { staleWhileRevalidate } from "./cache-answer.ts";
import { headOf } from "./search-engines.ts";
import { demoApps } from "./showcase.ts";
import { NO_STORIES, STORIES_LATER, type Story, storiesHtml } from "./stories.ts";

export interface LandingDeps {
  pool: Pool;
  clickhouse: ClickHouseClient;
  statistics: Pick<Statistics, "books" | "metricsByApp">;
  demo: boolean;
  publicUrl: string;
  clock: Clock;
  log: Log;
}

/** The landing page's replacement text by placeholder. */
export type LandingParts = Readonly<Record<string, string>>;

const STORY_DAYS = 30;
const STORIES_KEPT_MS = 10 * 60_000;
const STORIES_RETRY_MS = 30_000;
/** How long the first visits of a process wait for the stories. */
const STORIES_WAIT_MS = 1000;

/** The catalogue without the adapter that is nobody's own. */
const NAMES = Object.entries(partners)
  .flatMap(([id, { name }]) => (id === "openrtb" ? [] : [name]))
  .toSorted((a, b) => a.localeCompare(b, "en"));

/** What only the server knows of the landing page. A store that is slow or fails costs the page its stories and nothing else. */
export function landingParts(deps: LandingDeps): () => Promise<LandingParts> {
  const { demo, publicUrl, clock, log } = deps;
  const times = { freshMs: STORIES_KEPT_MS, retryMs: STORIES_RETRY_MS, waitMs: STORIES_WAIT_MS };
  const onFailure = (cause: unknown) => log.warn({ err: cause }, "the landing page's stories could not be read");
  const stories = staleWhileRevalidate({ ...times, clock, onFailure }, async () =>
    storiesHtml(await demoStories(deps), STORY_DAYS),
  );
  return async () => ({
    "<!-- site facts -->": headOf(publicUrl),
    __PUBLIC_URL__: escapeHtml(publicUrl),
    // A picture to share needs its whole address, while the build only fills in a file whose address begins with a slash.
    'property="og:image" content="/': `property="og:image" content="${escapeHtml(publicUrl)}/`,
    __DEMO__: demo ? "yes" : "no",
    __YEAR__: dayOf(clock.now()).slice(0, 4),
    __PARTNERS__: String(NAMES.length),
    __PARTNER_LIST__: `<ul class="partners">${NAMES.map((name) => `<li>${escapeHtml(name)}</li>`).join("")}</ul>`,
    __STORIES__: demo ? ((await stories()) ?? STORIES_LATER) : NO_STORIES,
  });
}

/** The demo's apps over the last days that are over. */
async function demoStories({ pool, statistics, clock }: LandingDeps): Promise<Story[]> {
  const apps = await demoApps(pool);
  const today = dayOf(clock.now());
  const range = { ds: addDays(today, -STORY_DAYS), de: addDays(today, -1) };
  const scope = { appIds: apps.map(({ id }) => id), range, providers: [], formats: [], countries: [] };
  const [metrics, earnings] = await Promise.all([
    statistics.metricsByApp(scope, "none"),
    statistics.books.earnings(range),
  ]);
  const earningsOf = grouped(earnings, ({ appId }) => appId);
  const days = Array.from({ length: STORY_DAYS }, (_, nth) => addDays(range.ds, nth));
  return apps.map(({ id, name, platform }) => {
    const { requests, impressions, fillrate, ecpm, revenue } = metrics.of(id);
    const micros = new Map<string, number>();
    for (const { day, revenueMicros } of earningsOf.get(id) ?? []) {
      micros.set(day, (micros.get(day) ?? 0) + Number(revenueMicros));
    }
    return {
      // One game may be an app of several platforms.
      name: `${name}, ${PLATFORM_LABELS[platform]}`,
      requests,
      impressions,
      fillrate,
      ecpmMicros: ecpm,
      revenueMicros: revenue,
      dailyMicros: days.map((day) => micros.get(day) ?? 0),
    };
  });
}
