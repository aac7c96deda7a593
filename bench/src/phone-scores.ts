import { CATEGORIES, type Scores, lighthouseScores } from "./lighthouse-scores.ts";
import type { Figure } from "./measurement.ts";
import { median } from "./quantiles.ts";

interface PhonePage {
  name: string;
  path: string;
  /** The least score of each category, in their order. */
  goals: readonly number[];
}

/** Pages that are read without an account, most of them on a phone. */
const PHONE_PAGES: readonly PhonePage[] = [
  { name: "Landing page", path: "/", goals: [95, 100, 100, 100] },
  { name: "Help page", path: "/help/publishers/statistics", goals: [95, 95, 95, 95] },
];

/** The scores of the public pages under Lighthouse's throttling of a phone, `runs` times each. */
export async function phoneScores(origin: string, port: number, runs: number): Promise<Measured[]> {
  const measured = PHONE_PAGES.map((page) => ({ ...page, scores: [] as Scores[] }));
  for (let run = 0; run < runs; run++) {
    for (const { path, scores } of measured) {
      scores.push(await lighthouseScores({ url: origin + path, port, preset: "phone", categories: CATEGORIES }));
    }
  }
  return measured;
}

interface Measured extends PhonePage {
  scores: Scores[];
}

export function phoneFigure({ name, goals, scores }: Measured): Figure {
  const medians = CATEGORIES.map((category) => median(scores.map((score) => score[category])));
  return {
    what: `${name} on a phone: Lighthouse, performance, accessibility, best practices and SEO`,
    goal: goals.map((goal) => `≥ ${goal}`).join(", "),
    measured: medians.join(", "),
    reached: medians.every((score, nth) => score >= (goals[nth] ?? 0)),
  };
}

export function phoneNote({ name, path, scores }: Measured): string {
  const performance = scores.map((score) => score.performance).toSorted((a, b) => a - b);
  const faults = [...new Set(scores.flatMap((score) => score.faults))];
  return `- ${name} on a phone (\`${path}\`): performance ${performance.join(", ")}; not green: ${faults.join(", ") || "nothing"}.`;
}
