import { adFrame } from "../ad-frame.ts";
import type { Resource } from "./read-vast.ts";

/** A companion's or icon's picture, page or HTML. What is not a picture runs in a frame without an origin. Null if it has none. */
export function resourceElement(
  into: HTMLElement,
  { image, page, html }: Resource,
  size: { w: number | string; h: number | string },
  on: { open: (url: string | null) => void; escape: () => void },
  frameUrl: string | undefined,
): { element: HTMLElement; remove(): void } | null {
  if (image !== null) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", "Open the advertiser's page");
    const picture = document.createElement("img");
    picture.src = image;
    picture.alt = "";
    const lengths = [size.w, size.h].map((side) => (typeof side === "number" ? `${side}px` : side));
    Object.assign(picture.style, { width: lengths[0], height: lengths[1], objectFit: "contain", display: "block" });
    Object.assign(button.style, { border: "0", padding: "0", background: "none", cursor: "pointer" });
    button.append(picture);
    button.addEventListener("click", () => on.open(null));
    into.append(button);
    return { element: button, remove: () => button.remove() };
  }
  const markup = html ?? (page === null ? null : framed(page));
  if (markup === null) return null;
  return adFrame(into, markup, size, { onOpen: (url) => on.open(url), onEscape: on.escape }, frameUrl);
}

const framed = (page: string) =>
  `<iframe src="${page.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" style="border:0;width:100vw;height:100vh"></iframe>`;
