import type { Adapter } from "./adapters.ts";
import type { AdInfo, EventMap, EventName } from "./events.ts";
import { type ErrorCode, type Failure, failureOf } from "./failure.ts";
import type { AdRequest, CoreOptions } from "./options.ts";
import type { ShownAd } from "./ready-ad.ts";

export type Outcome<T> = ({ ok: true } & T) | ({ ok: false } & Failure);

/** A place in the app's page; without `into` the ad takes the whole screen. */
export interface PlaceBase {
  into?: unknown;
}

/** The SDK without a user interface. No function throws, and no promise rejects. */
export interface Sdk<Place extends PlaceBase> {
  /** Starts the SDK, or restarts it for other options. Settles within 2 seconds, with `initialized` or `initializeFailed`. */
  initialize(options: CoreOptions): Promise<Outcome<{ latestSdkVersion: string }>>;
  /** Loads an ad of a zone. Settles within the request's limit, with `loaded` or `loadFailed`. Asks the server once. */
  loadAd(request: AdRequest): Promise<Outcome<AdInfo>>;
  /** True if `showAd` has an ad of this zone, which has not expired. */
  isAdReady(zone: string): boolean;
  /** Shows the zone's ad, with `displayed` or `displayFailed`. Null stands for a place that the app has not got. */
  showAd(zone: string, place: Place | null): Promise<Outcome<ShownAd & { refreshSeconds: number }>>;
  /** Gives up what a zone loads, has loaded or shows. */
  destroyAd(zone: string): void;
  /** Adds an adapter for line items of this name, or replaces it. Returns a function that removes it. */
  registerAdapter(name: string, adapter: Adapter<Place>): () => void;
  /** The names of the adapters that are registered; undefined without any. */
  adapterNames(): string[] | undefined;
  /** True while a full-screen ad has the screen: nobody sees the app's places below it. It ends before `hidden` and `displayFailed`. */
  isScreenTaken(): boolean;
  addListener<Name extends EventName>(type: Name, listener: (about: EventMap[Name]) => void): () => void;
  /** The app comes to the foreground, or leaves it. */
  foreground(): void;
  background(): void;
  /** The device is back online: sends everything that waits. */
  online(): void;
  /** The number of beacons and pings that wait for delivery. */
  waiting(): number;
  /** Ends everything. Undelivered beacons are sent at the next start. */
  shutdown(): void;
}

/** What became of a call, after its event was emitted. */
export async function outcomeOf<T>(
  work: Promise<T>,
  succeeded: (value: T) => void,
  failed: (failure: Failure) => void,
  otherwise?: ErrorCode,
): Promise<Outcome<T>> {
  try {
    const value = await work;
    succeeded(value);
    return { ok: true, ...value };
  } catch (cause) {
    const failure = failureOf(cause, otherwise);
    failed(failure);
    return { ok: false, ...failure };
  }
}
