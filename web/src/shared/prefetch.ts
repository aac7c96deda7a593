import type { QueryClient } from "@tanstack/react-query";
import type { Search } from "./filters/address.ts";

/** A page's address, taken apart. */
export interface Opened {
  params: Readonly<Record<string, string>>;
  search: Search;
}

/** What a page's module exports as `prefetch`: begins to ask for what the page shows first, before the page is drawn. */
export type Prefetch = (client: QueryClient, opened: Opened) => void;
