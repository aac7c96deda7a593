import { formatCount, formatMoney, formatMoneyShort, formatPercent } from "@millrace/units";
import { escapeHtml } from "../../platform/mail/index.ts";

/** What the platform counted of one app of the demo in some days. */
export interface Story {
  name: string;
  requests: number;
  impressions: number;
  fillrate: number | null;
  ecpmMicros: number | null;
  revenueMicros: number;
  /** By day, oldest first. */
  dailyMicros: readonly number[];
}

/** How many are told, those with the most revenue. */
const MOST = 3;
const [WIDTH, HEIGHT] = [300, 84];

/** Outside a demo there is nothing that may be told of anybody. */
export const NO_STORIES = `<p class="head">This platform is not a demonstration, so its figures belong to its publishers and are not shown here.
When an operator switches the demonstration on, this place replays its apps with the revenue, fill rate and eCPM that the
platform counted for them.</p>`;

/** While the store has not answered. */
export const STORIES_LATER = `<p class="head">The figures of the demonstration's apps are not available at the moment. They are shown here again
as soon as the platform has counted them. Please load the page again in a minute.</p>`;

/** The apps' figures as cards, best first. */
export function storiesHtml(stories: readonly Story[], days: number): string {
  const best = stories
    .filter(({ impressions }) => impressions > 0)
    .toSorted((a, b) => b.revenueMicros - a.revenueMicros)
    .slice(0, MOST);
  if (best.length === 0) {
    return '<p class="head">The demonstration is still writing its history. Its apps appear here once their first day is over.</p>';
  }
  return `<ul class="stories">${best.map((story) => card(story, days)).join("")}</ul>
<p class="small basis">Simulated apps of the demonstration, not customers: every figure comes from auctions that this platform held.
Log in as the demonstration's publisher to see the auctions behind each figure.</p>`;
}

function card({ name, requests, fillrate, ecpmMicros, revenueMicros, dailyMicros }: Story, days: number): string {
  const figures = [
    ["Revenue", formatMoneyShort(revenueMicros)],
    ["eCPM", formatMoney(ecpmMicros)],
    ["Fill rate", formatPercent(fillrate)],
    ["Requests", formatCount(requests)],
  ] as const;
  return `<li class="story"><h3>${escapeHtml(name)}</h3><p class="small">Revenue by day, the last ${days} days</p>
${lineOf(dailyMicros)}<dl>${figures.map(([what, figure]) => `<div><dt>${what}</dt><dd>${figure}</dd></div>`).join("")}</dl></li>`;
}

/** Daily amounts as a line from zero, in an SVG that the card stretches. */
function lineOf(amounts: readonly number[]): string {
  const most = Math.max(1, ...amounts);
  const step = WIDTH / Math.max(1, amounts.length - 1);
  const points = amounts.map((amount, day) => {
    const y = HEIGHT - 2 - (Math.max(0, amount) / most) * (HEIGHT - 6);
    return `${(day * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  if (points.length < 2) return "";
  const line = `M${points.join("L")}`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="area" d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z"/><path d="${line}"/></svg>`;
}
