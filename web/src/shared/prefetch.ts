import type { QueryClient } from "@tanstack/react-query";
import type { Search } from "./filters/address.ts";

/** A parsed page address. */
export interface Opened {
  params: Readonly<Record<string, string>>;
  search: Search;
}

/** A page module's `prefetch` export: requests the page's first data before it renders. */
export type Prefetch = (client: QueryClient, opened: Opened) => void;
