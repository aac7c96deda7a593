import type { NativeAd, NativeImage } from "./read-native.ts";

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Text as it may stand in HTML, in quoted attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? "");
}

/** The address if a page may follow it: http or https, nothing that runs. */
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
 * A native ad as one HTML card for a sandboxed frame: a link around image, icon and texts, trackers as pixels behind it.
 * `clickUrl` takes the link's place where clicks are counted first. Scripts and video are the caller's to place.
 * Empty where the link is not http(s).
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
