import type { Ad } from "@millrace/contract";
import type { AdInfo, Emitter, Log } from "./events.ts";
import { messageOf, SdkError, within } from "./failure.ts";
import type { Clock } from "./host.ts";
import type { AdRequest } from "./options.ts";
import { type OrderedAd, type PreparedAd, prepareFirst, type Prepare, type Steps } from "./prepared-ad.ts";
import type { DownloadBudget } from "./download-budget.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";
import { type AdReply, isWebAddress, readReward } from "./protocol.ts";

const SHOW_LIMIT_MS = 12_000;

/** A loaded ad that waits to be shown, and those that follow it in the auction's order. */
export interface ReadyAd<Place> {
  info: AdInfo;
  ad: Ad;
  prepared: PreparedAd<Place>;
  steps: Steps<Place>;
  reply: AdReply;
  isExpired(): boolean;
}

/** A show that has begun, which can be given up until the ad is on the screen. */
export interface StartingShow {
  isWanted: boolean;
  prepared: { destroy(): void };
  /** The ad has left the screen. Called before the app hears of it, so that its listener can show the next. */
  freeScreen(): void;
}

/** An ad on the screen. */
export interface ShownAd {
  info: AdInfo;
  /** Resolves once it is gone, to whether the user has earned its reward. */
  hidden: Promise<boolean>;
  /** Removes it. */
  remove(): void;
}

export interface AdDeps<Place> {
  clock: Clock;
  prepare: Prepare<Place>;
  /** What to try, best first: the ads of a reply, and adapters among them. */
  orderOf(request: AdRequest, reply: AdReply): Promise<readonly OrderedAd<Place>[]>;
  budget: DownloadBudget;
  queue: DeliveryQueue;
  emitter: Emitter;
  log: Log;
}

/** Prepares the first ad of a reply, while it is waited for. Throws SdkError if there is none. See `prepareFirst`. */
export async function readyAd<Place>(
  deps: AdDeps<Place>,
  request: AdRequest,
  reply: AdReply,
  isWaitedFor: () => boolean,
  isLate: () => boolean,
): Promise<ReadyAd<Place>> {
  const left = [...(await deps.orderOf(request, reply))];
  const failure = { code: "no_ad", message: reply.reason ?? "No ad" } as const;
  const steps: Steps<Place> = { left, passedOver: [], failure };
  const first = await prepareFirst(steps, request.format, deps, isWaitedFor, isLate);
  if (!first) throw new SdkError(steps.failure.code, steps.failure.message);
  const { clock } = deps;
  const since = [clock.now(), clock.ticks()] as const;
  return {
    ...first,
    info: infoOf(request, first.ad, reply),
    steps,
    reply,
    // Monotonic clocks stand still while a device sleeps, and others can be set: whichever moved further counts.
    isExpired: () => Math.max(clock.now() - since[0], clock.ticks() - since[1]) >= reply.expires_seconds * 1000,
  };
}

const infoOf = ({ zone, format }: Pick<AdInfo, "zone" | "format">, ad: Ad, reply: AdReply): AdInfo => ({
  zone,
  format,
  network: ad.provider,
  auction: reply.auction,
});

/**
 * Shows a ready ad or, if it cannot be shown, the first of those after it that can. Reports the impression once, and a loss
 * for each ad that was passed over. Throws SdkError if none can be shown, or if it is no longer wanted by then.
 */
export async function showReady<Place>(
  deps: AdDeps<Place>,
  ready: ReadyAd<Place>,
  place: Place,
  show: StartingShow,
): Promise<ShownAd> {
  const { steps, reply, info } = ready;
  for (let next: { ad: Ad; prepared: PreparedAd<Place> } | null = ready; next;) {
    const { ad, prepared } = next;
    show.prepared = prepared;
    const shown = presentation(deps, infoOf(info, ad, reply), ad, prepared, show);
    // It may have been given up while the ad was prepared, and while it starts.
    const starts = show.isWanted && (await shown.start(place));
    if (!show.isWanted) {
      prepared.destroy();
      break;
    }
    if (starts) {
      deps.queue.add(ad.beacons.impression);
      for (const loser of steps.passedOver) deps.queue.add(loser.beacons.loss);
      shown.tell(reply.country);
      return shown;
    }
    steps.passedOver.push(ad);
    next = await prepareFirst(steps, info.format, deps, () => show.isWanted);
  }
  throw show.isWanted
    ? new SdkError("render", "None of the ads can be shown")
    : new SdkError("destroyed", "destroyAd was called");
}

/** One try to show an ad, and its events from then on. */
function presentation<Place>(
  { clock, queue, emitter, log }: AdDeps<Place>,
  info: AdInfo,
  ad: Ad,
  prepared: PreparedAd<Place>,
  { freeScreen }: Pick<StartingShow, "freeScreen">,
): ShownAd & { start(place: Place): Promise<boolean>; tell(country: string): void } {
  // An ad may report events while it is about to start; apps hear of them after `displayed`.
  let state: "starting" | "shown" | "gone" = "starting";
  let isRewarded = false;
  const early: (() => void)[] = [];
  let settle: (rewarded: boolean) => void = () => {};
  const hidden = new Promise<boolean>((resolve) => (settle = resolve));
  const once = (run: () => void) => {
    if (state === "starting") early.push(run);
    else if (state === "shown") run();
  };

  const hide = () =>
    once(() => {
      state = "gone";
      prepared.destroy();
      freeScreen();
      emitter.emit("hidden", info);
      settle(isRewarded);
    });

  return {
    info,
    hidden,
    remove: hide,
    async start(place) {
      const events = {
        clicked: () =>
          once(() => {
            // The server takes no click without its impression.
            queue.add(ad.beacons.click, undefined, ad.beacons.impression);
            emitter.emit("clicked", info);
          }),
        rewarded: () =>
          once(() => {
            if (isRewarded || info.format !== "rewarded") return;
            isRewarded = true;
            // The server confirms the reward to the app's own.
            if (isWebAddress(ad.beacons.reward)) queue.add(ad.beacons.reward);
            emitter.emit("rewardReceived", { ...info, reward: readReward(ad) });
          }),
        hidden: hide,
      };
      try {
        const late = () => new SdkError("timeout", "The ad did not start");
        // Nested, so that a renderer that throws is one that rejects.
        const work = (async () => prepared.show(place, events))();
        if (await within(clock, SHOW_LIMIT_MS, work, late).result) return true;
      } catch (cause) {
        log("info", `the ad of ${info.network} could not be shown`, messageOf(cause));
      }
      state = "gone";
      prepared.destroy();
      return false;
    },
    tell(country) {
      emitter.emit("displayed", info);
      const { revenue_micros: priceMicros } = ad;
      const precision = ad.precision === "estimated" ? ad.precision : "exact";
      emitter.emit("revenuePaid", { ...info, priceMicros, precision, country });
      state = "shown";
      for (const run of early.splice(0)) if (state === "shown") run();
    },
  };
}
