const GAP_PX = 5;
const EDGE_PX = 8;

/** Shows a popover under its anchor, above it where there is no room, and never beyond the window's sides. */
export function placeBelow(popover: HTMLElement, anchor: HTMLElement): void {
  // Not in every test environment: there it stands where it is written.
  popover.showPopover?.();
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const fits = below + height <= window.innerHeight - EDGE_PX;
  popover.style.top = `${fits ? below : Math.max(EDGE_PX, at.top - GAP_PX - height)}px`;
  popover.style.left = `${Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - EDGE_PX - width))}px`;
}
