import { later } from "../later.tsx";
import type { WorldMapProps } from "./world-map.tsx";

// The outlines are 115 kB, so they are loaded when a map is shown.
export const LazyWorldMap = later<WorldMapProps>(async () => (await import("./world-map.tsx")).WorldMap);
