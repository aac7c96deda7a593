import { PAGES, type PageName } from "@millrace/contract";

type Paths = { readonly [P in PageName]: (typeof PAGES)[P]["path"] };

/** The path of every page, in the router's syntax. */
export const PATHS = Object.fromEntries(Object.entries(PAGES).map(([page, { path }]) => [page, path])) as Paths;

/** The platform's API reference: its calls, with their fields and errors. */
export const HELP_ADDRESS = "/docs";
