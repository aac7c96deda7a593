import type { Search } from "../../shared/filters/address.ts";
import { useAddress } from "../../shared/filters/use-address.ts";
import type { Asked } from "./api.ts";

const MAX_SEARCH = 100;
const MAX_PAGE = 100_000;

/** The search and the page, as a list's address holds them; whatever cannot be is left out. */
export function readAsked({ search, p }: Search): Asked {
  const page = Number(p ?? 0);
  return {
    search: typeof search === "string" ? search.slice(0, MAX_SEARCH) : "",
    p: Number.isInteger(page) && page > 0 && page <= MAX_PAGE ? page : 0,
  };
}

/** What the address asks a list for, and how to ask otherwise. A new search begins at the first page. */
export function useAsked() {
  const [asked, change] = useAddress<Partial<Record<keyof Asked, string | number | undefined>>>(readAsked);
  return {
    asked: readAsked(asked),
    search: (search: string) => change({ search: search === "" ? undefined : search, p: undefined }),
    page: (p: number) => change({ p: p === 0 ? undefined : p }),
  };
}
