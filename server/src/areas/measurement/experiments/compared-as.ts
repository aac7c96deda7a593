import { extname } from "node:path";

interface Compared {
  format: string;
  file: string;
  width: number;
  height: number;
  video: { duration_ms: number } | null;
}

/**
 * What a creative is compared with, as the heading of the comparison. Two of them are alike for the places that take them; of
 * videos, places ask for a length and a type, and players for their own shape.
 */
export function comparedAs({ format, file, width, height, video }: Compared): string {
  if (format === "banner") return `Banners of ${width}×${height}`;
  if (video === null) return "Full-screen images";
  const shape = height > width ? "Portrait" : "Landscape";
  return `${shape} videos of ${Math.round(video.duration_ms / 1000)} s, ${extname(file).slice(1).toUpperCase()}`;
}
