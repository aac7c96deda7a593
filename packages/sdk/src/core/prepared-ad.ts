import type { Ad, Format } from "@millrace/contract";
import type { DownloadBudget } from "./download-budget.ts";
import { type Failure, failureOf, SdkError, within } from "./failure.ts";
import type { Clock } from "./host.ts";
import type { Log } from "./events.ts";

export interface ShowEvents {
  clicked(): void;
  /** The user has earned the reward of a rewarded ad. */
  rewarded(): void;
  /** The ad was closed. */
  hidden(): void;
}

/** An ad that can be shown at once, in a place that the host knows how to fill. */
export interface PreparedAd<Place> {
  /** Resolves to true once it starts to render, to false if it cannot. */
  show(place: Place, on: ShowEvents): Promise<boolean>;
  /** Removes it and frees what it holds. Does nothing the second time. */
  destroy(): void;
}

/** Makes an ad ready to be shown; null if the host cannot show it. */
export type Prepare<Place> = (ad: Ad, format: Format, budget: DownloadBudget) => Promise<PreparedAd<Place> | null>;

/** An ad of the order; an adapter's brings its own way to be made ready. */
export type OrderedAd<Place> = Ad & { prepare?: Prepare<Place> };

/** The order of ads, walked from the best on. */
export interface Steps<Place> {
  left: OrderedAd<Place>[];
  /** Those that could not be shown. */
  passedOver: Ad[];
  /** Why the last of them could not. */
  failure: Failure;
}

export const BUDGET_USED = "The session's download budget is used up";

/** The limit of one step: a slow ad must not use up the time of all others. */
export const STEP_LIMIT_MS = 4_000;

/**
 * Prepares the first ad that can be prepared, and removes it and those before it from `steps`. Null if none can be prepared,
 * or once nobody waits. `isLate` says that an adapter might use up the remaining time; adapters ahead of a regular ad are then
 * skipped.
 */
export async function prepareFirst<Place>(
  steps: Steps<Place>,
  format: Format,
  deps: { clock: Clock; prepare: Prepare<Place>; budget: DownloadBudget; log: Log },
  isWaitedFor: () => boolean,
  isLate?: () => boolean,
): Promise<{ ad: Ad; prepared: PreparedAd<Place> } | null> {
  for (let ad; isWaitedFor() && (ad = steps.left.shift());) {
    if (ad.prepare && isLate?.() && steps.left.some(({ prepare }) => !prepare)) {
      steps.passedOver.push(ad);
      continue;
    }
    try {
      const prepared = await prepareOne(ad, format, deps);
      if (prepared) return { ad, prepared };
      if (!ad.prepare) steps.failure = { code: "render", message: "None of the ads can be shown" };
    } catch (cause) {
      steps.failure = failureOf(cause, "render");
      deps.log("info", `the ad of ${ad.provider} could not be prepared`, cause);
    }
    steps.passedOver.push(ad);
  }
  return null;
}

async function prepareOne<Place>(
  ad: OrderedAd<Place>,
  format: Format,
  { clock, prepare, budget }: Parameters<typeof prepareFirst<Place>>[2],
): Promise<PreparedAd<Place> | null> {
  if (!budget.take(ad.markup.content.length)) throw new SdkError("budget", BUDGET_USED);
  const work = (ad.prepare ?? prepare)(ad, format, budget);
  try {
    return await within(clock, STEP_LIMIT_MS, work, () => new SdkError("timeout", "The ad took too long")).result;
  } catch (cause) {
    work.then(
      (late) => late?.destroy(),
      () => {},
    );
    throw cause;
  }
}
