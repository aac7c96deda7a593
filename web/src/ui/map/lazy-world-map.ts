import { lazy } from "react";

// The outlines are 100 kB, so they are loaded when a map is shown.
export const LazyWorldMap = lazy(async () => ({ default: (await import("./world-map.tsx")).WorldMap }));
