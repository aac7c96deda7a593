import type { Subject } from "./subjects.data.ts";

/** The addresses in a native ad. `picture` returns the image address for a size. */
export interface NativeLinks {
  clickUrl: string;
  impressionUrl: string;
  picture(width: number, height: number): string;
}

interface WantedAsset {
  id?: number;
  title?: { len?: number };
  img?: { type?: number; w?: number; h?: number; wmin?: number; hmin?: number };
  data?: { type?: number; len?: number };
}

/** The data asset types of Native 1.2, section 7.4, that the lab supports. */
const DATA: Record<number, (subject: Subject) => string> = {
  1: ({ domain }) => domain,
  2: ({ line }) => line,
  3: () => "4.7",
  4: () => "1204",
  5: () => "50000",
  6: () => "0",
  10: ({ line }) => line,
  11: ({ domain }) => domain,
  12: ({ action }) => action,
};

const ICON_TYPE = 1;

/**
 * A Native 1.2 response (section 5) as JSON text, with the requested assets that the lab supports. Null if the request is
 * malformed or requires an unsupported asset.
 */
export function nativeJson(requestText: string, subject: Subject, links: NativeLinks): string | null {
  const requested = requestedAssets(requestText);
  if (requested === null) return null;
  const assets: object[] = [];
  for (const asset of requested) {
    const answer = answerAsset(asset, subject, links);
    if (answer !== null) assets.push({ id: asset.id, required: asset.required, ...answer });
    else if (asset.required === 1) return null;
  }
  return JSON.stringify({
    ver: "1.2",
    assets,
    link: { url: links.clickUrl },
    eventtrackers: [{ event: 1, method: 1, url: links.impressionUrl }],
  });
}

function requestedAssets(text: string): (WantedAsset & { required?: number })[] | null {
  try {
    const parsed = JSON.parse(text) as { assets?: unknown; native?: { assets?: unknown } } | null;
    // Native 1.0 wrapped the request in `native`; some exchanges still do.
    const assets = parsed?.assets ?? parsed?.native?.assets;
    return Array.isArray(assets) && assets.length > 0 ? (assets as WantedAsset[]) : null;
  } catch {
    return null;
  }
}

function answerAsset(asset: WantedAsset, subject: Subject, links: NativeLinks): object | null {
  if (asset.title !== undefined) return { title: { text: subject.name.slice(0, asset.title.len ?? 90) } };
  if (asset.img !== undefined) {
    const icon = asset.img.type === ICON_TYPE;
    const w = asset.img.w ?? Math.max(asset.img.wmin ?? 0, icon ? 80 : 1200);
    const h = asset.img.h ?? Math.max(asset.img.hmin ?? 0, icon ? 80 : 627);
    return { img: { type: asset.img.type, url: links.picture(w, h), w, h } };
  }
  const data = DATA[asset.data?.type ?? 0];
  if (data === undefined) return null;
  return { data: { type: asset.data?.type, value: data(subject).slice(0, asset.data?.len ?? 500) } };
}
