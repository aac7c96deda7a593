import type { Companion } from "./read-vast.ts";

/** The companion to show after the media: one that is meant for it, otherwise the largest with something to show. */
export function endCardOf(companions: readonly Companion[]): Companion | null {
  const usable = companions.filter(({ image, page, html }) => image !== null || page !== null || html !== null);
  const inOrder = [...usable].sort((a, b) => Number(b.isEndCard) - Number(a.isEndCard) || b.w * b.h - a.w * a.h);
  return inOrder[0] ?? null;
}
