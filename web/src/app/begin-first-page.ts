import type { QueryClient } from "@tanstack/react-query";
import { parseSearch } from "../shared/filters/address.ts";
import type { makeRouter } from "./router.tsx";

/**
 * The first page's own script, and then what it shows first, come while its guard still asks who is there: none of the
 * three waits for another. A failure shows when the page is drawn; where the guard leads elsewhere, nobody asks for them.
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
