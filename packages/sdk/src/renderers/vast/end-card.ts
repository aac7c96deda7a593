import type { Companion } from "./read-vast.ts";

/** The companion to show after the media: one that is meant for it, otherwise the largest with something to show. */
export function endCardOf(companions: readonly Companion[]): Companion | null {
  const usable = companions.filter(
    // A concurrent one is meant to be beside the media, for which there is no place.
    ({ image, page, html, renderingMode }) => (image ?? page ?? html) !== null && renderingMode !== "concurrent",
  );
  const isMeant = ({ renderingMode }: Companion) => Number(renderingMode === "end-card");
  const inOrder = [...usable].sort((a, b) => isMeant(b) - isMeant(a) || b.w * b.h - a.w * a.h);
  return inOrder[0] ?? null;
}
