import { PAGES, type PageName } from "@millrace/contract";

type Paths = { readonly [P in PageName]: (typeof PAGES)[P]["path"] };

/** The path of every page, in the router's syntax. */
export const PATHS = Object.fromEntries(Object.entries(PAGES).map(([page, { path }]) => [page, path])) as Paths;

/** The legal pages, in the order of every page's foot. */
export const LEGAL_PAGES = [
  [PATHS.terms, "Terms"],
  [PATHS.eula, "EULA"],
  [PATHS.privacy, "Privacy"],
  [PATHS.copyright, "Copyright"],
] as const;

/** The help centre. What the platform explains by a code is at the code's anchor, as `/help/reasons#below_floor`. */
export const HELP_ADDRESS = "/help/";
