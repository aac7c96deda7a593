import type { NativeAd, NativeImage } from "./read-native.ts";

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Escapes text for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? "");
}

/** Returns the address if it is safe to link to: http and https only. */
export function webUrl(url: string): string | undefined {
  return /^https?:\/\/[^\s"'<>`\\]+$/i.test(url) ? url : undefined;
}

const image = (name: string, { url, w, h }: NativeImage): string => {
  const src = webUrl(url);
  if (src === undefined) return "";
  const size = (w === undefined ? "" : ` width="${w}"`) + (h === undefined ? "" : ` height="${h}"`);
  return `<img class="native-${name}" src="${escapeHtml(src)}" alt=""${size}>`;
};

const line = (name: string, text: string | undefined): string =>
  text === undefined || text === "" ? "" : `<span class="native-${name}">${escapeHtml(text)}</span>`;

/**
 * Renders a native ad as one HTML card for a sandboxed frame: a link with image, icon and texts, then tracking pixels.
 * `clickUrl` replaces the link if clicks are counted first. Scripts and video are left to the caller.
 * Returns an empty string if the link is not http(s).
 */
export function renderNativeHtml(ad: NativeAd, clickUrl?: string): string {
  const href = webUrl(clickUrl ?? ad.link.url);
  if (href === undefined) return "";
  const parts = [
    ad.image === undefined ? "" : image("image", ad.image),
    ad.icon === undefined ? "" : image("icon", ad.icon),
    line("title", ad.title),
    line("description", ad.description),
    line("rating", ad.rating),
    line("price", ad.price),
    line("sponsored", ad.sponsored),
    line("cta", ad.callToAction),
  ];
  const pixels = ad.impressionImages.flatMap((url) => webUrl(url) ?? []);
  return (
    `<a class="native" href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer">${parts.join("")}</a>` +
    pixels
      .map((url) => `<img src="${escapeHtml(url)}" alt="" width="1" height="1" style="position:absolute;opacity:0">`)
      .join("")
  );
}
