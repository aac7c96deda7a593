import { escapeHtml } from "@millrace/openrtb";

/** An approved creative as it is shown. */
export interface ShownCreative {
  format: "image" | "banner";
  /** The picture's size in pixels. */
  w: number;
  h: number;
  /** Addresses that `webUrl` accepts. */
  imageUrl: string;
  cta: string;
  /** What the picture is, for those who do not see it; the words of the button by default. */
  alt?: string;
  /** Replaces the picture while the screen is wider than high. */
  landscapeUrl?: string;
}

const LINK = "color:inherit;text-decoration:none;position:relative;overflow:hidden";
const BUTTON =
  "position:absolute;box-sizing:border-box;max-width:60%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;" +
  "background:#12645c;color:#fff;font-family:system-ui,sans-serif;font-weight:600;border-radius:999px;" +
  "box-shadow:0 0 0 2px rgba(255,255,255,.85);pointer-events:none";
/** By the height of a banner; a full screen's is the last. */
const BUTTON_SIZES = [
  { upTo: 60, style: "right:6px;bottom:6px;font-size:11px;line-height:20px;padding:0 8px" },
  { upTo: 100, style: "right:8px;bottom:8px;font-size:13px;line-height:26px;padding:0 12px" },
  { upTo: 250, style: "right:12px;bottom:12px;font-size:15px;line-height:34px;padding:0 16px" },
] as const;
const FULL_BUTTON =
  "left:50%;bottom:max(6vh,env(safe-area-inset-bottom));transform:translateX(-50%);max-width:80%;font-size:18px;" +
  "line-height:48px;padding:0 28px";

/** Turning the device changes the image. */
const pictureOf = (landscapeUrl: string, image: string): string =>
  `<picture style="display:contents"><source media="(orientation:landscape)" srcset="${escapeHtml(landscapeUrl)}">${image}</picture>`;

/**
 * An ad's markup in two halves, for the address of its link: HTML without scripts, which needs no frame. A full-screen image
 * is scaled to be wholly visible on any screen.
 */
export function creativeHtml({
  format,
  w,
  h,
  imageUrl,
  cta,
  alt = cta,
  landscapeUrl,
}: ShownCreative): (href: string) => string {
  const isFull = format === "image";
  const box = isFull
    ? "display:block;width:100vw;height:100vh;background:#0b1416"
    : `display:block;width:${w}px;height:${h}px`;
  const fit = isFull ? "width:100%;height:100%;object-fit:contain" : `width:${w}px;height:${h}px`;
  const button = isFull ? FULL_BUTTON : (BUTTON_SIZES.find(({ upTo }) => h <= upTo) ?? BUTTON_SIZES[2]).style;
  const start = '<a href="';
  const image =
    `<img src="${escapeHtml(imageUrl)}" width="${w}" height="${h}" alt="${escapeHtml(alt === "" ? "Advertisement" : alt)}" ` +
    `style="display:block;border:0;${fit}">`;
  const end =
    `" target="_blank" rel="noopener noreferrer" style="${box};${LINK}">` +
    (landscapeUrl === undefined ? image : pictureOf(landscapeUrl, image)) +
    (cta === "" ? "" : `<span aria-hidden="true" style="${BUTTON};${button}">${escapeHtml(cta)}</span>`) +
    "</a>";
  return (href) => start + escapeHtml(href) + end;
}
