import { readSearched } from "./address.ts";

/** The page of a list in an address, counted from 0; absent for the first. */
export const readPage = (search: Parameters<typeof readSearched>[0]): { p?: number | undefined } => ({
  p: readSearched(search).p || undefined,
});
