import { readSearched } from "../../shared/filters/address.ts";
import { useAddress } from "../../shared/filters/use-address.ts";
import type { ListParams } from "./api.ts";

/** A list's parameters from the address, and a setter. A new search starts at the first page. */
export function useListQuery() {
  const [address, change] = useAddress<Partial<Record<keyof ListParams, string | number | undefined>>>(readSearched);
  return {
    params: readSearched(address),
    search: (search: string) => change({ search: search === "" ? undefined : search, p: undefined }),
    page: (p: number) => change({ p: p === 0 ? undefined : p }),
  };
}
