import { lazy } from "react";

// The outlines of the world are 100 kB: they come when a map is shown.
export const LazyWorldMap = lazy(async () => ({ default: (await import("./world-map.tsx")).WorldMap }));
