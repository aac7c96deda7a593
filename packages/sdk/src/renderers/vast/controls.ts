import { resourceElement } from "./resource-frame.ts";
import type { Icon } from "./read-vast.ts";

/** A button over the media. */
export function controlButton(text: string, label: string, at: Record<string, string>): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  Object.assign(button.style, {
    position: "absolute",
    minWidth: "44px",
    minHeight: "44px",
    padding: "0 14px",
    border: "0",
    borderRadius: "22px",
    background: "rgba(0, 0, 0, 0.75)",
    color: "#fff",
    font: "600 15px system-ui, sans-serif",
    cursor: "pointer",
    zIndex: "1",
    ...at,
  });
  return button;
}

/** Shows icons over the media in their time (VAST 4.2, section 3.11), such as AdChoices. Returns what updates them. */
export function iconsOver(
  into: HTMLElement,
  icons: readonly Icon[],
  on: { viewed: (icon: Icon) => void; open: (icon: Icon, url: string | null) => void },
  frameUrl: string | undefined,
): (seconds: number) => void {
  const shown = new Map<Icon, { remove(): void }>();
  return (seconds) => {
    for (const icon of icons) {
      const isDue = seconds >= icon.offsetSeconds && seconds < icon.offsetSeconds + icon.durationSeconds;
      const there = shown.get(icon);
      if (isDue && !there) {
        const resource = resourceElement(
          into,
          icon,
          { w: icon.w, h: icon.h },
          { open: (url) => on.open(icon, url), escape() {} },
          frameUrl,
        );
        if (!resource) continue;
        const [x, y] = [place(icon.x, "left", "right"), place(icon.y, "top", "bottom")];
        Object.assign(resource.element.style, { position: "absolute", zIndex: "1", ...x, ...y });
        shown.set(icon, resource);
        on.viewed(icon);
      } else if (!isDue && there) {
        there.remove();
        shown.delete(icon);
      }
    }
  };
}

function place(position: string, near: string, far: string): Record<string, string> {
  if (position === near || position === far) return { [position]: "0" };
  return { [near]: `${Math.max(0, Number(position) || 0)}px` };
}
