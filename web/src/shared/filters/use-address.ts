import { useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import { type Search, stringifySearch } from "./address.ts";

/** The page's address as parsed by `read`, and a setter for parts of it that keeps the scroll position. */
export function useAddress<T extends object>(read: (search: Search) => T): [T, (change: Partial<T>) => void] {
  const raw: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const address = useMemo(() => read(raw), [read, raw]);
  const change = useCallback(
    (part: Partial<T>) => {
      // A search that waits for a pause in typing may come when the next page is loading already.
      const shown = router.state.resolvedLocation ?? router.latestLocation;
      if (withoutSlash(router.latestLocation.pathname) !== withoutSlash(shown.pathname)) return;
      void navigate({
        to: ".",
        search: (before: Search) => ({ ...before, ...part }),
        resetScroll: false,
        replace: true,
      });
    },
    [navigate, router],
  );
  // The parsed state is written back, so that the address can be copied.
  const written = useLocation({ select: (location) => location.searchStr });
  const canonical = stringifySearch(raw);
  useEffect(() => {
    if (written !== canonical) void navigate({ to: ".", search: true, hash: true, resetScroll: false, replace: true });
  }, [written, canonical, navigate]);
  return [address, change];
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, "");
