import type { Format } from "@millrace/contract";
import type { Log } from "./events.ts";
import { SdkError, within } from "./failure.ts";
import type { AdRequest, CoreOptions } from "./options.ts";
import { type OrderedAd, type ShowEvents, STEP_LIMIT_MS } from "./prepared-ad.ts";
import type { AdReply } from "./protocol.ts";
import type { AdDeps } from "./ready-ad.ts";

/** What an adapter is asked for. */
export interface AdapterRequest {
  zone: string;
  format: Format;
  /** Device-independent pixels, as the app gave them to `loadAd`. */
  w?: number | undefined;
  h?: number | undefined;
  /** From the line item, such as the seller's id of the placement. */
  params: Readonly<Record<string, string>>;
  /** True for test ads. */
  test: boolean;
  /** An ad that is loaded later is not shown, but destroyed. */
  timeoutMs: number;
}

/** An ad that the seller's own SDK has loaded. */
export interface AdapterAd<Place> {
  /** What the seller pays for this impression, if its SDK tells it: CPM in micro-dollars. It is read once the ad shows. */
  paidMicros?: number;
  /** Resolves to true once it is on the screen, to false if it cannot be shown. Only the first call of each event counts. */
  show(place: Place, on: ShowEvents): Promise<boolean> | boolean;
  /** Removes it and frees what it holds, also if it was never shown. */
  destroy?(): void;
}

/** A seller's SDK that the app brings, for line items of the kind SDK adapter. */
export interface Adapter<Place> {
  /** Resolves to an ad, or to null if the seller has none. */
  load(request: AdapterRequest): Promise<AdapterAd<Place> | null> | AdapterAd<Place> | null;
}

/** As the dashboard takes them. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** The server refuses requests that name more. */
const MAX_ADAPTERS = 50;

export interface StepDeps<Place> extends Pick<AdDeps<Place>, "clock" | "queue" | "log"> {
  request: AdRequest;
  adapters: ReadonlyMap<string, Adapter<Place>>;
  options: CoreOptions;
}

/** The order of an answer with adapters. */
export type OrderSteps<Place> = (reply: AdReply, deps: StepDeps<Place>) => readonly OrderedAd<Place>[];
/** Loads the code that walks an order with adapters. */
export type LoadSteps<Place> = (options: CoreOptions) => Promise<{ orderSteps: OrderSteps<Place> }>;

type OrderDeps<Place> = Omit<StepDeps<Place>, "request" | "adapters">;

/** The app's adapters, which stay over restarts of the SDK. */
export function adapterRegistry<Place>(loadSteps: LoadSteps<Place>, log: Log) {
  const adapters = new Map<string, Adapter<Place>>();
  return {
    /** Undefined without any. */
    names: () => (adapters.size > 0 ? [...adapters.keys()] : undefined),
    register(name: string, adapter: Adapter<Place>): () => void {
      const fits = adapters.has(name) || adapters.size < MAX_ADAPTERS;
      if (NAME.test(name) && fits) adapters.set(name, adapter);
      else log("error", "an adapter was not registered: a wrong name, or too many", name);
      return () => {
        if (adapters.get(name) === adapter) adapters.delete(name);
      };
    },
    /** The ads of a reply to try, in order. Without adapters if it has no steps or the code for them does not load in time. */
    async orderOf(request: AdRequest, reply: AdReply, deps: OrderDeps<Place>): Promise<readonly OrderedAd<Place>[]> {
      if (!reply.raw.steps || adapters.size === 0) return reply.ads;
      try {
        const late = () => new SdkError("timeout", "steps.mjs took too long");
        const { orderSteps } = await within(deps.clock, STEP_LIMIT_MS, loadSteps(deps.options), late).result;
        return orderSteps(reply, { request, adapters, ...deps });
      } catch (cause) {
        log("warn", "the adapters could not be called", cause);
        return reply.ads;
      }
    },
  };
}
