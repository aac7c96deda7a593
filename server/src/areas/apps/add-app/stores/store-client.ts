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
  /** Null where the store has no such app. Throws StoreUnreachable where it did not say. */
  find(address: StoreAddress): Promise<Listing | null>;
}

/** The store is away, refuses us, or answers what nobody can read. */
export class StoreUnreachable extends Error {
  /** The HTTP status of a refusal; undefined where there was no answer that could be read. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.name = "StoreUnreachable";
    this.status = status;
  }
}

/** The text at a store's address, or null where the store says that nothing is there. Throws StoreUnreachable. */
export type ReadStore = (url: string) => Promise<string | null>;

/** Parses JSON that a stranger has sent. Throws StoreUnreachable for what is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new StoreUnreachable("no JSON");
  }
}
