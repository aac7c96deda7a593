import type { Plugin } from "vite";
import { MAP_HEIGHT, MAP_WIDTH, worldShapes } from "./src/ui/map/world-shapes.ts";

/**
 * Draws the outlines of the world map when the dashboard is built: projecting them holds up a page for 40 ms, and the paths
 * are smaller than the atlas together with the code that projects it.
 */
export function drawnMap(): Plugin {
  let isDrawn = false;
  return {
    name: "drawn-map",
    apply: "build",
    transform(_code, id) {
      if (!id.endsWith("/ui/map/world-shapes.ts")) return null;
      isDrawn = true;
      return `
        export const MAP_WIDTH = ${MAP_WIDTH};
        export const MAP_HEIGHT = ${MAP_HEIGHT};
        const shapes = ${JSON.stringify(worldShapes())};
        export const worldShapes = () => shapes;`;
    },
    buildEnd(error) {
      if (!error && !isDrawn) this.error("no module world-shapes.ts, which this plugin draws");
    },
  };
}
