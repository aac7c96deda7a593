import type { Platform } from "@millrace/contract";
import type { StoreAddress, StoreName } from "../store-address.ts";

/** An app as its store lists it. */
export interface Listing {
  name: string;
  /** An https address at the store's own image hosts. */
  logoUrl: string | null;
  bundleId: string;
  platforms: readonly Platform[];
}

/** Asks one store about an app. */
export interface StoreClient {
  store: StoreName;
  /** Null if the store has no such app. Throws StoreUnreachable if it gave no usable answer. */
  find(address: StoreAddress): Promise<Listing | null>;
}

/** The store is unreachable, refuses us, or its reply cannot be read. */
export class StoreUnreachable extends Error {
  /** The HTTP status of a refusal; undefined without a readable reply. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.name = "StoreUnreachable";
    this.status = status;
  }
}

/** Fetches a store's page, or null if the store reports that it does not exist. Throws StoreUnreachable. */
export type ReadStore = (url: string) => Promise<string | null>;

/** Parses JSON from a store. Throws StoreUnreachable if it is malformed. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new StoreUnreachable("no JSON");
  }
}
