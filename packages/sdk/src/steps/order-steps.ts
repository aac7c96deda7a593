import type { Ad, Reply, sdkAd, StepOutcome } from "@millrace/contract";
import type { Adapter, AdapterAd, OrderSteps, StepDeps } from "../core/adapters.ts";
import { SdkError, within } from "../core/failure.ts";
import type { OrderedAd, PreparedAd, ShowEvents } from "../core/prepared-ad.ts";
import { isShowable, isWebAddress, MAX_STEPS } from "../core/protocol.ts";

type AdapterStep = Extract<NonNullable<Reply<typeof sdkAd>["steps"]>[number], { type: "adapter" }>;

/** Below the limit of a step, so that an adapter that is late has its own outcome. */
const ADAPTER_LIMIT_MS = 3_500;
/** Below the limit of a show, for the same reason. */
const SHOW_LIMIT_MS = 11_500;
/** The CPM above which the server refuses an impression. */
const MOST_PAID_MICROS = 1_000_000_000;

/**
 * The order of an answer with adapters: its ads and, where a step names an adapter, what calls it. Steps that are faulty, or of
 * a kind of a later version, are passed over.
 */
export const orderSteps: OrderSteps<object> = ({ raw: { ads, steps }, ads: known }, deps) => {
  if (!Array.isArray(steps)) return known;
  return steps.slice(0, MAX_STEPS).flatMap((step: unknown) => {
    if (!isRecord(step)) return [];
    if (step["type"] === "ad") {
      const ad = ads[Number(step["ad"])];
      return isShowable(ad) ? [ad] : [];
    }
    const adapterAd = step["type"] === "adapter" ? adOf(step as unknown as AdapterStep, deps) : null;
    return isShowable(adapterAd) ? [adapterAd] : [];
  });
};

/** An adapter as an ad of the order, which tells the server what became of it. */
function adOf<Place>(step: AdapterStep, deps: StepDeps<Place>): OrderedAd<Place> | null {
  const { beacons, provider, expected_micros: expected, revenue_micros: estimate, precision, reward } = step;
  if (!isRecord(beacons) || !isWebAddress(beacons.player)) return null;
  const { queue, request } = deps;
  const { impression, click, loss, player } = beacons;
  /** What the seller pays for the ad that is shown. */
  let paid: number | null = null;
  const ad: Ad = {
    provider,
    format: request.format,
    markup: { type: "html", content: "-" },
    w: null,
    h: null,
    // Both are read once the ad shows, and its SDK may tell the price as late as that.
    get revenue_micros() {
      return Math.round(paid === null ? (estimate ?? expected / 1000) : paid / 1000);
    },
    precision: precision === "exact" ? "exact" : "estimated",
    ...(reward && { reward }),
    beacons: {
      get impression() {
        return paid === null ? impression : `${impression}&paid_micros=${paid}`;
      },
      click,
      loss,
      ...(beacons.reward !== undefined && { reward: beacons.reward }),
    },
  };
  const report = (outcome: StepOutcome) => queue.add(`${player}&e=${outcome}`);
  return Object.assign(ad, {
    async prepare(): Promise<PreparedAd<Place> | null> {
      const adapter = deps.adapters.get(step.adapter);
      const { outcome, loaded } = adapter
        ? await loadFrom(adapter, step, deps)
        : ({ outcome: "not_registered", loaded: null } as const);
      report(outcome);
      if (!loaded) return null;
      return preparedBy(loaded, deps, {
        onShown: () => (paid = paidBy(loaded)),
        onFailed: () => report("failed"),
      });
    },
  });
}

/** Calls an adapter within its limit. One that answers later is told to remove its ad. */
async function loadFrom<Place>(
  adapter: Adapter<Place>,
  { adapter: name, params }: AdapterStep,
  { clock, request: { zone, format, w, h }, options, log }: StepDeps<Place>,
): Promise<{ outcome: StepOutcome; loaded: AdapterAd<Place> | null }> {
  const request = { zone, format, w, h, params: isRecord(params) ? params : {}, test: options.test === true };
  // Nested, so that an adapter that throws is one that rejects.
  const work = (async () => adapter.load({ ...request, timeoutMs: ADAPTER_LIMIT_MS }))();
  const late = new SdkError("timeout", "The adapter took too long");
  try {
    const loaded = await within(clock, ADAPTER_LIMIT_MS, work, () => late).result;
    if (loaded === null || loaded === undefined) return { outcome: "no_fill", loaded: null };
    if (typeof loaded.show !== "function") throw new Error("the adapter's ad has no function `show`");
    return { outcome: "filled", loaded };
  } catch (cause) {
    log("info", `the adapter ${name} brought no ad`, cause);
    const isLate = cause === late;
    if (isLate) work.then((ad) => quietly(() => ad?.destroy?.(), log), NOTHING);
    return { outcome: isLate ? "timed_out" : "failed", loaded: null };
  }
}

/** An adapter's ad as the SDK shows it: each event counts once, and what it throws harms nobody. */
function preparedBy<Place>(
  loaded: AdapterAd<Place>,
  { clock, log }: StepDeps<Place>,
  { onShown, onFailed }: { onShown: () => void; onFailed: () => void },
): PreparedAd<Place> {
  let isDestroyed = false;
  return {
    async show(place, on) {
      try {
        const work = (async () => loaded.show(place, eachOnce(on)))();
        const late = () => new SdkError("timeout", "The adapter's ad did not start");
        const starts: unknown = await within(clock, SHOW_LIMIT_MS, work, late).result;
        // What an app's code gives may be of any type.
        if (starts === true) {
          onShown();
          return true;
        }
      } catch (cause) {
        log("info", "an adapter's ad could not be shown", cause);
      }
      onFailed();
      return false;
    },
    destroy() {
      if (isDestroyed) return;
      isDestroyed = true;
      quietly(() => loaded.destroy?.(), log);
    },
  };
}

function eachOnce(on: ShowEvents): ShowEvents {
  const fired = new Set<keyof ShowEvents>();
  const once = (name: keyof ShowEvents) => () => {
    if (fired.has(name)) return;
    fired.add(name);
    on[name]();
  };
  return { clicked: once("clicked"), rewarded: once("rewarded"), hidden: once("hidden") };
}

/** The CPM that an adapter tells, if it is one. */
function paidBy({ paidMicros }: AdapterAd<never>): number | null {
  const isPrice = typeof paidMicros === "number" && paidMicros >= 0 && paidMicros <= MOST_PAID_MICROS;
  return isPrice ? Math.round(paidMicros) : null;
}

const NOTHING = () => {};

function quietly(run: () => unknown, log: StepDeps<never>["log"]): void {
  // Nested, so that what is thrown and what is rejected end the same way.
  (async () => run())().catch((cause: unknown) => log("info", "an adapter failed while it removed its ad", cause));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
