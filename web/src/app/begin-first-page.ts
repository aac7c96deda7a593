import type { QueryClient } from "@tanstack/react-query";
import { parseSearch } from "../shared/filters/address.ts";
import type { makeRouter } from "./router.tsx";

/**
 * Loads the first page's script and its first data while its guard still checks the session, so that none of the
 * three waits for another. Errors show when the page renders, and are ignored if the guard redirects.
 */
export function beginFirstPage(router: ReturnType<typeof makeRouter>, client: QueryClient): void {
  const { pathname, search } = window.location;
  const [routes, params] = router.getMatchedRoutes(pathname);
  for (const route of routes) {
    router.loadRouteChunk(route)?.catch(() => undefined);
    route.options.staticData?.loadPage?.().then(
      ({ prefetch }) => prefetch(client, { params, search: parseSearch(search) }),
      () => undefined,
    );
  }
}
