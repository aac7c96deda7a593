import type { Ad } from "@millrace/contract";
import { fetchTransport } from "../core/fetch-transport.ts";
import type { LoadSteps } from "../core/adapters.ts";
import type { Host, Storage } from "../core/host.ts";
import { createSdk } from "../core/sdk.ts";
import type { PlaceBase, Sdk } from "../core/sdk-api.ts";
import { memoryStorage } from "../core/memory-storage.ts";
import type { CoreOptions } from "../core/options.ts";
import type { ShowEvents } from "../core/prepared-ad.ts";
import { strongRandom } from "../core/random-id.ts";
import type { EventName, SdkEvent } from "../core/events.ts";
import { orderSteps } from "../steps/order-steps.ts";
import { manualClock } from "./manual-clock.ts";
import { ad, adReply, APP, initReply } from "./protocol-replies.ts";
import { protocolServer, type Received } from "./protocol-server.ts";

type Fate = "not prepared" | "never prepared" | "prepared later" | "not shown" | "shown later" | "throws";

interface State {
  /** The events of the ad that was shown last. */
  last: ShowEvents;
  storage: Storage;
  /** Lets an ad start whose fate is to be shown later. */
  showNow: () => void;
  /** Makes an ad ready whose fate is to be prepared later. */
  prepareNow: () => void;
  /** Loads what walks an order with adapters. */
  loadSteps: LoadSteps<PlaceBase>;
  /** The networks whose ads were to be prepared or shown, and those whose ads were destroyed. */
  prepared: string[];
  put: string[];
  /** Where they were to be shown. */
  places: PlaceBase[];
  destroyed: string[];
  answer: (request: Received) => ReturnType<Parameters<typeof protocolServer>[0]>;
  /** The status that beacons are answered with. */
  beaconStatus: number;
}

/** The SDK's core with a real server, a clock that the test moves, and ads that show by their provider's fate. */
export type SdkBench = Awaited<ReturnType<typeof sdkBench>>;

export async function sdkBench() {
  const clock = manualClock();
  const fates = new Map<string, Fate>();
  const seen: SdkEvent[] = [];
  const lines: unknown[][] = [];
  const nothing = () => {};
  const state: State = {
    last: { clicked: nothing, rewarded: nothing, hidden: nothing },
    storage: memoryStorage(),
    showNow: nothing,
    prepareNow: nothing,
    loadSteps: async () => ({ orderSteps }),
    prepared: [],
    put: [],
    places: [],
    destroyed: [],
    answer: () => ({}),
    beaconStatus: 204,
  };
  const server = await protocolServer((request) =>
    request.path.startsWith("/b/") ? { status: state.beaconStatus } : state.answer(request),
  );
  let sessions = 0;
  const answerAds = (...providers: string[]) => {
    state.answer = ({ path }) => {
      if (path === "/sdk/v1/init") return { json: initReply(`session-${(sessions += 1)}`) };
      if (path === "/sdk/v1/ad") return { json: adReply(providers.map((name) => ad(server.endpoint, name))) };
      return { json: { ok: true } };
    };
  };
  answerAds("alpha", "beta");

  async function prepare({ provider }: Ad) {
    state.prepared.push(provider);
    const fate = fates.get(provider);
    if (fate === "not prepared") return null;
    if (fate === "never prepared") await new Promise(() => {});
    if (fate === "prepared later") await new Promise<void>((resolve) => (state.prepareNow = resolve));
    return {
      async show(place: PlaceBase, on: ShowEvents) {
        state.put.push(provider);
        state.places.push(place);
        if (fate === "throws") throw new Error("broken creative");
        state.last = on;
        if (fate === "shown later") await new Promise<void>((resolve) => (state.showNow = resolve));
        return fate !== "not shown";
      },
      destroy: () => void state.destroyed.push(provider),
    };
  }

  const open: Sdk<PlaceBase>[] = [];
  /** An SDK as after a restart of the app: of what went before, it has the storage. */
  function restart(): Sdk<PlaceBase> {
    const host: Host = { clock, storage: state.storage, transport: fetchTransport(fetch), random: strongRandom };
    const sdk = createSdk<PlaceBase>(
      host,
      () => prepare,
      (...line) => lines.push(line),
      async (options) => state.loadSteps(options),
    );
    open.push(sdk);
    return sdk;
  }
  const sdk = restart();

  const start = (more: Partial<CoreOptions> = {}, of = sdk) =>
    of.initialize({
      app: APP,
      platform: "android",
      endpoint: `${server.endpoint}/`,
      device: { os: "android", osv: "15" },
      onEvent: (event) => seen.push(event),
      ...more,
    });

  return Object.assign(state, {
    sdk,
    server,
    clock,
    fates,
    lines,
    answerAds,
    start,
    restart,
    /** The events for apps, without those for logs; or those of one type. */
    events: (type?: EventName) =>
      seen.filter((event) =>
        type === undefined ? event.type !== "requested" && event.type !== "delivery" : event.type === type,
      ),
    beacons: () =>
      server
        .of("/b/")
        .map(({ path }) => path)
        .sort(),
    async close() {
      for (const each of open) each.shutdown();
      await server.close();
    },
  });
}
