import { versionNumber } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import { type ActiveSwitch, listActiveSwitches } from "../../demand-partners/index.ts";

/** A switch is in force within 5 seconds, so a lost notification may cost no more than this. */
const POLL_MS = 2000;

export interface SwitchRequest {
  appId: number;
  /** Empty for requests of servers and players. */
  sdkVersion: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** What the switches mean for a request. */
export interface SwitchedOff {
  /** Nobody may bid, and an SDK is told to stop asking. */
  everything: boolean;
  /** These partners may not be asked. */
  partners: ReadonlySet<string>;
}

export interface KnownSwitches {
  /** Null if none is for the request, as for almost every one. */
  of(request: SwitchRequest): SwitchedOff | null;
}

/**
 * The operator's kill switches in force, in memory. They are read as a whole, because they are few, and apart from the configuration: a slow
 * load of thousands of apps must not delay them. What they did to an auction stands in its trace.
 */
export class KillSwitches implements KnownSwitches {
  readonly #pool: Pool;
  readonly #log: Pick<Log, "warn">;
  #active: readonly ((request: SwitchRequest) => string | null | undefined)[] = [];
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #areKnown = false;
  #isFailing = false;

  constructor(pool: Pool, log: Pick<Log, "warn">) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Whether they were read at least once. Before, nothing may be sold. */
  get areKnown(): boolean {
    return this.#areKnown;
  }

  /** Keeps them current from now on. Resolves after the first read. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.start(), POLL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  /** Reads them now. Never rejects: while they cannot be read, the last ones stay in force. */
  refresh(): Promise<void> {
    // One read at a time, so that no slow one overwrites a later one.
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  of(request: SwitchRequest): SwitchedOff | null {
    if (this.#active.length === 0) return null;
    const partners = new Set<string>();
    let everything = false;
    for (const covered of this.#active) {
      const partnerId = covered(request);
      if (partnerId === null) everything = true;
      else if (partnerId !== undefined) partners.add(partnerId);
    }
    return everything || partners.size > 0 ? { everything, partners } : null;
  }

  async #read(): Promise<void> {
    try {
      this.#active = (await listActiveSwitches(this.#pool)).map(coveredBy);
      this.#areKnown = true;
      this.#isFailing = false;
    } catch (error) {
      // Once until they can be read again.
      if (this.#isFailing) return;
      this.#isFailing = true;
      this.#log.warn({ err: error }, "the kill switches could not be read; the last ones stay in force");
    }
  }
}

/** The partner that a switch is for, null for everything, undefined for requests that it does not cover. */
function coveredBy(killSwitch: ActiveSwitch): (request: SwitchRequest) => string | null | undefined {
  const from = killSwitch.sdkFrom === null ? 0 : versionNumber(killSwitch.sdkFrom);
  const to = killSwitch.sdkTo === null ? Infinity : versionNumber(killSwitch.sdkTo);
  const needsVersion = killSwitch.sdkFrom !== null || killSwitch.sdkTo !== null;
  const countries = killSwitch.countries.length === 0 ? null : new Set(killSwitch.countries);
  return ({ appId, sdkVersion, country }) => {
    if (killSwitch.appId !== null && killSwitch.appId !== appId) return undefined;
    if (countries !== null && !countries.has(country)) return undefined;
    if (needsVersion) {
      if (sdkVersion === "") return undefined;
      const version = versionNumber(sdkVersion);
      if (version < from || version > to) return undefined;
    }
    return killSwitch.partnerId;
  };
}
