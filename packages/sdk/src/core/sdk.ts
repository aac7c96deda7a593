import { adapterRegistry, type LoadSteps } from "./adapters.ts";
import { type DownloadBudget, downloadBudget } from "./download-budget.ts";
import { type AdInfo, type Emitter, emitter, type Log, LOG_LEVELS } from "./events.ts";
import { type Limited, SdkError, within } from "./failure.ts";
import type { Host } from "./host.ts";
import {
  type AdRequest,
  type CoreOptions,
  isZone,
  LOAD_LIMIT_MS,
  requestKey,
  wrongOptions,
  wrongRequest,
} from "./options.ts";
import { BUDGET_USED, type Prepare } from "./prepared-ad.ts";
import { type AdDeps, type ReadyAd, readyAd, type ShownAd, showReady, type StartingShow } from "./ready-ad.ts";
import { outcomeOf, type PlaceBase, type Sdk } from "./sdk-api.ts";
import { type ServerLink, serverLink } from "./server-link.ts";

const NO_CONSENT = "Consent was not known in time";
const OFF = "Ads are switched off for this app";
export const INITIALIZE_LIMIT_MS = 2_000;
/** Adapters are called only in this part of a load's time: even the slowest leaves a fifth of the usual limit for the next ad. */
const ADAPTERS_SHARE = 0.45;
/** How often a place that nobody sees is looked at again. */
const UNSEEN_MS = 500;

interface Running<Place> {
  link: ServerLink;
  deps: AdDeps<Place>;
  loading: Map<string, Limited<ReadyAd<Place>>>;
  ready: Map<string, ReadyAd<Place> & { requestKey: string }>;
  shown: Map<string, ShownAd>;
  /** By zone, the shows that have begun. */
  starting: Map<string, StartingShow>;
  /** The zone of the ad that takes the whole screen. */
  fullScreen: string | null;
  isOff: boolean;
}

/**
 * `prepare` makes ads ready for the host's places. `log` receives lines at all levels; the options' level is applied here.
 * `loadSteps` brings what walks an order with adapters, when the first such answer comes.
 */
export function createSdk<Place extends PlaceBase>(
  host: Host,
  prepare: (options: CoreOptions) => Prepare<Place>,
  logLine: Log,
  loadSteps: LoadSteps<Place>,
): Sdk<Place> {
  let running: Running<Place> | null = null;
  let logLevel = LOG_LEVELS.indexOf("warn");
  let onEvent: CoreOptions["onEvent"];
  /** Undefined as long as the host has told neither. */
  let isForeground: boolean | undefined;
  const log: Log = (level, text, data) => {
    if (LOG_LEVELS.indexOf(level) <= logLevel) logLine(level, text, data);
  };
  const events: Emitter = emitter({ log, onEvent: (event) => onEvent?.(event) });
  const adapters = adapterRegistry(loadSteps, log);

  function start(options: CoreOptions): Running<Place> {
    const budget: DownloadBudget = downloadBudget(options.downloadBudgetMb);
    const link = serverLink(host, options, {
      emitter: events,
      log,
      onStart(reply) {
        budget.refill();
        if (reply.disabled) switchOff(started);
        else started.isOff = false;
      },
      onSwitchOff: () => switchOff(started),
      adapters: adapters.names,
    });
    const deps: AdDeps<Place> = {
      clock: host.clock,
      prepare: prepare(options),
      budget,
      queue: link.queue,
      emitter: events,
      log,
      orderOf: (request, reply) => adapters.orderOf(request, reply, { options, ...deps }),
    };
    const started: Running<Place> = {
      link,
      deps,
      loading: new Map(),
      ready: new Map(),
      shown: new Map(),
      starting: new Map(),
      fullScreen: null,
      isOff: false,
    };
    return started;
  }

  /** Gives up what a zone loads, has loaded or shows. */
  function giveUp({ loading, ready, starting, shown }: Running<Place>, zone: string, why: SdkError): void {
    loading.get(zone)?.end(why);
    ready.get(zone)?.prepared.destroy();
    const show = starting.get(zone);
    if (show) {
      show.isWanted = false;
      show.prepared.destroy();
    }
    for (const held of [loading, ready, starting]) held.delete(zone);
    shown.get(zone)?.remove();
  }

  /** Removes all ads. */
  function clear(all: Running<Place>, why: SdkError): void {
    for (const held of [all.loading, all.ready, all.starting, all.shown]) {
      for (const zone of held.keys()) giveUp(all, zone, why);
    }
  }

  function switchOff(started: Running<Place>): void {
    if (started.isOff) return;
    started.isOff = true;
    log("warn", OFF, null);
    clear(started, new SdkError("disabled", OFF));
  }

  function shutdown(): void {
    if (!running) return;
    const ended = running;
    running = null;
    clear(ended, new SdkError("destroyed", "The SDK was shut down"));
    ended.link.sessions.close();
    ended.link.queue.close();
  }

  function runningOrThrow(): Running<Place> {
    if (!running) throw new SdkError("not_initialized", "Call initialize first");
    if (running.isOff) throw new SdkError("disabled", OFF);
    return running;
  }

  async function load(request: AdRequest): Promise<AdInfo> {
    const wrong = wrongRequest(request);
    if (wrong) throw new SdkError("options", wrong);
    const { link, deps, loading, ready } = runningOrThrow();
    const { zone, format, timeoutMs = LOAD_LIMIT_MS } = request;
    const kept = ready.get(zone);
    const key = requestKey(request);
    if (kept?.requestKey === key && !kept.isExpired()) return kept.info;
    // An ad loaded for another user must not be shown if this load brings none.
    kept?.prepared.destroy();
    ready.delete(zone);
    if (loading.has(zone)) throw new SdkError("busy", `An ad of ${zone} is being loaded`);
    if (deps.budget.isUsedUp()) throw new SdkError("budget", BUDGET_USED);
    let isWaitedFor = true;
    const lateAt = host.clock.ticks() + timeoutMs * ADAPTERS_SHARE;
    const isLate = () => host.clock.ticks() > lateAt;
    const work = (async () => {
      events.emit("requested", { zone, format });
      const reply = await link.ask(request, () => isWaitedFor);
      return readyAd(deps, request, reply, () => isWaitedFor, isLate);
    })();
    const limited = within(host.clock, timeoutMs, work, () =>
      link.isConsentPending()
        ? new SdkError("consent_pending", NO_CONSENT)
        : new SdkError("timeout", `No ad within ${timeoutMs} ms`),
    );
    loading.set(zone, limited);
    try {
      const loaded = await limited.result;
      ready.set(zone, { ...loaded, requestKey: key });
      return loaded.info;
    } catch (cause) {
      isWaitedFor = false;
      work.then(
        ({ prepared }) => prepared.destroy(),
        () => {},
      );
      throw cause;
    } finally {
      if (loading.get(zone) === limited) loading.delete(zone);
    }
  }

  async function show(zone: string, place: Place | null): Promise<ShownAd & { refreshSeconds: number }> {
    if (!isZone(zone)) throw new SdkError("options", "showAd needs the zone of a loaded ad");
    if (!place) throw new SdkError("options", "into must be an element");
    const current = runningOrThrow();
    const { deps, ready, shown, starting } = current;
    const next = ready.get(zone);
    if (!next) throw new SdkError("not_ready", `No ad of ${zone} is loaded`);
    const isFullScreen = place.into === undefined && next.info.format !== "audio";
    if (starting.has(zone) || (isFullScreen && current.fullScreen)) {
      throw new SdkError("busy", "Another ad is on the screen");
    }
    ready.delete(zone);
    if (isFullScreen) current.fullScreen = zone;
    const freeScreen = () => {
      if (isFullScreen) current.fullScreen = null;
    };
    const show: StartingShow = { isWanted: true, prepared: next.prepared, freeScreen };
    starting.set(zone, show);
    try {
      // An ad in a place counts once it is shown, and nobody would see it now.
      while (place.into && show.isWanted && !next.isExpired() && (isForeground === false || current.fullScreen)) {
        await new Promise<void>((resolve) => void host.clock.after(UNSEEN_MS, resolve));
      }
      if (next.isExpired()) {
        next.prepared.destroy();
        throw new SdkError("expired", `The ad of ${zone} has expired: load another`);
      }
      const ad = await showReady(deps, next, place, show);
      // The one before stays until now, so that a place is never empty.
      shown.get(zone)?.remove();
      shown.set(zone, ad);
      void ad.hidden.then(() => {
        if (shown.get(zone) === ad) shown.delete(zone);
      });
      return { ...ad, refreshSeconds: next.reply.refresh_seconds };
    } catch (cause) {
      freeScreen();
      throw cause;
    } finally {
      if (starting.get(zone) === show) starting.delete(zone);
    }
  }

  async function begin(options: CoreOptions): Promise<{ latestSdkVersion: string }> {
    const wrong = wrongOptions(options);
    if (wrong) throw new SdkError("options", wrong);
    shutdown();
    onEvent = options.onEvent;
    logLevel = LOG_LEVELS.indexOf(options.logLevel ?? "warn");
    const started = start(options);
    running = started;
    const { sessions } = started.link;
    const first = sessions.current();
    if (isForeground) sessions.foreground();
    const { latest_sdk_version } = await within(host.clock, INITIALIZE_LIMIT_MS, first, () =>
      started.link.isConsentPending()
        ? new SdkError("consent_pending", NO_CONSENT)
        : new SdkError("timeout", "No reply in time"),
    ).result;
    if (running !== started) throw new SdkError("destroyed", "The SDK was shut down");
    if (started.isOff) throw new SdkError("disabled", OFF);
    return { latestSdkVersion: latest_sdk_version };
  }

  return {
    initialize: (options) =>
      outcomeOf(
        begin(options),
        (about) => events.emit("initialized", about),
        (failure) => events.emit("initializeFailed", failure),
      ),
    loadAd: (request) =>
      outcomeOf(
        load(request),
        (info) => events.emit("loaded", info),
        (failure) => {
          const { zone = "", format = "banner" } = (request as Partial<AdRequest> | null) ?? {};
          events.emit("loadFailed", { zone, format, ...failure });
        },
      ),
    isAdReady(zone) {
      const next = running?.isOff === false ? running.ready.get(zone) : undefined;
      return next !== undefined && !next.isExpired();
    },
    showAd: (zone, place) =>
      outcomeOf(
        show(zone, place),
        () => {},
        (failure) => events.emit("displayFailed", { zone, ...failure }),
        "render",
      ),
    destroyAd(zone) {
      if (running) giveUp(running, zone, new SdkError("destroyed", "destroyAd was called"));
    },
    registerAdapter: adapters.register,
    adapterNames: adapters.names,
    isScreenTaken: () => !!running?.fullScreen,
    addListener: events.add,
    foreground() {
      isForeground = true;
      running?.link.sessions.foreground();
      running?.link.queue.flush();
    },
    background() {
      isForeground = false;
      running?.link.sessions.background();
    },
    online() {
      running?.link.sessions.retry();
      running?.link.queue.flush();
    },
    waiting: () => running?.link.queue.size() ?? 0,
    shutdown,
  };
}
