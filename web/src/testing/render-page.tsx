import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from "@tanstack/react-router";
import { cleanup, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach } from "vitest";
import { messageOf } from "../shared/call-api.ts";
import { LeaveGuard } from "../shared/form/leave-guard.tsx";
import { parseSearch, stringifySearch } from "../shared/filters/address.ts";
import { NotifyProvider } from "../ui/notify/notify.tsx";
import { ErrorWordsProvider } from "../ui/states/error-words.tsx";

afterEach(cleanup);

// A busy machine may take longer than a second to load lazy parts; tests still continue as soon as they can.
configure({ asyncUtilTimeout: 15_000 });

// Browser features that jsdom lacks.
window.matchMedia ??= (query) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

const errorWords = { sentence: messageOf, plain: messageOf, retry: "Try again" };

/** Renders part of a page within the providers of every page. Queries are not retried, so failures show at once. */
export function renderPart(part: ReactNode) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = (content: ReactNode) => (
    <MantineProvider env="test">
      <ErrorWordsProvider value={errorWords}>
        <QueryClientProvider client={queryClient}>
          <NotifyProvider>{content}</NotifyProvider>
        </QueryClientProvider>
      </ErrorWordsProvider>
    </MantineProvider>
  );
  const { rerender, ...screen } = render(view(part));
  return { ...screen, queryClient, rerender: (next: ReactNode) => rerender(view(next)) };
}

/** Renders a page at an address; any other address renders its own path. */
export async function renderPage(page: () => ReactNode, path: string, at = path) {
  const rootRoute = createRootRoute({
    component: () => (
      <LeaveGuard>
        <Outlet />
      </LeaveGuard>
    ),
  });
  const router = createRouter({
    routeTree: rootRoute.addChildren([
      createRoute({ getParentRoute: () => rootRoute, path, component: page }),
      createRoute({ getParentRoute: () => rootRoute, path: "$", component: () => <p>elsewhere</p> }),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch,
  });
  await router.load();
  return { ...renderPart(<RouterProvider router={router as never} />), router };
}
