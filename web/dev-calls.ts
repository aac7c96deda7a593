/** What the server itself shows in a browser's window; whatever else a browser wants to show is a page of ours. */
const SHOWN_BY_SERVER =
  /^\/(docs|sdk|demo|openrtb2|vast|beacon|healthz|readyz)(\/|$)|\.(json|csv|pdf|txt)$|\/instruction_iframe$|^\/(login|profile)\/(google|facebook)(\/|$)/;
/** What Vite itself answers: the page's sources. */
const SOURCES = /^\/(@|node_modules\/|src\/)/;

/** Whether the server answers a request in development; all else is the page and its sources, which Vite has. */
export function isCall(url: string, accept: string | undefined): boolean {
  const { pathname } = new URL(url, "http://localhost");
  if (SOURCES.test(pathname)) return false;
  return SHOWN_BY_SERVER.test(pathname) || (accept?.includes("application/json") ?? false);
}
