import type { TestAd } from "@millrace/contract";
import { z } from "zod";

/** A document that shows an ad, and its size in CSS pixels. */
export interface AdDocument {
  html: string;
  width: number;
  height: number;
  /** It keeps its shape on a narrow screen; a banner keeps its size. */
  isFluid: boolean;
}

type AdContent = Pick<TestAd, "markup" | "w" | "h" | "impression">;

/**
 * The document of an ad, for a frame without an origin; null if the dashboard cannot show this ad. Its text is written by
 * strangers and only ever runs in that frame.
 */
export function adDocument(ad: AdContent): AdDocument | null {
  const { type, content } = ad.markup;
  if (type === "html") return { html: page(content, ad), width: ad.w ?? 320, height: ad.h ?? 50, isFluid: false };
  return type === "vast" ? mediaDocument(content, ad) : nativeDocument(content, ad);
}

/** A bidder's markup brings its own styles. */
const BARE = "html,body{margin:0;overflow:hidden}";
const MEDIA = `${BARE}html,body{height:100%;background:#000}video{display:block;width:100%;height:100%}audio{display:block;width:100%}`;
const CARD = `${BARE}body{font:14px/1.4 system-ui,sans-serif}
.card{box-sizing:border-box;height:100vh;padding:10px;overflow:auto;background:#fff;color:#0d1f26}
.card>img{display:block;width:100%;height:150px;object-fit:cover}
.head{display:flex;gap:8px;align-items:center;margin:8px 0 4px;font-weight:600}
.head img{width:32px;height:32px;object-fit:cover}
.card p{margin:0 0 8px}
small{color:#586e77}
.card a{display:inline-block;padding:6px 12px;border-radius:6px;background:#087a9a;color:#fff;text-decoration:none}`;

/** With our pixel: the impression is reported once the document is written. */
const page = (body: string, { impression }: AdContent, style = BARE): string =>
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><base target="_blank"><style>${style}</style>${body}<img src="${escapeHtml(impression)}" alt="" width="1" height="1" style="position:absolute;visibility:hidden">`;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** The first media file of VAST. A wrapper has none: its media are at another server. */
function mediaDocument(xml: string, ad: AdContent): AdDocument | null {
  const files = new DOMParser().parseFromString(xml, "text/xml").getElementsByTagName("MediaFile");
  for (const file of files) {
    const url = file.textContent.trim();
    const type = file.getAttribute("type") ?? "";
    if (!isWeb(url)) continue;
    if (type.startsWith("audio/")) {
      const html = page(`<audio controls autoplay src="${escapeHtml(url)}"></audio>`, ad, MEDIA);
      return { html, width: 360, height: 54, isFluid: true };
    }
    const html = page(`<video controls autoplay muted playsinline src="${escapeHtml(url)}"></video>`, ad, MEDIA);
    return { html, width: 480, height: 270, isFluid: true };
  }
  return null;
}

const Asset = z.object({
  id: z.number(),
  title: z.object({ text: z.string() }).optional(),
  img: z.object({ url: z.string() }).optional(),
  data: z.object({ value: z.string() }).optional(),
});
/** The part of a Native 1.2 response that is shown. The assets' ids are those of the exchange's request. */
const Native = z.object({ link: z.object({ url: z.string() }), assets: z.array(Asset).default([]) });
const ASSETS = { title: 1, icon: 2, image: 3, text: 4, action: 5, sponsor: 6 } as const;

function nativeDocument(json: string, ad: AdContent): AdDocument | null {
  const read = Native.safeParse(jsonOf(json));
  if (!read.success) return null;
  const { assets, link } = read.data;
  const asset = (name: keyof typeof ASSETS) => assets.find(({ id }) => id === ASSETS[name]);
  const words = (name: keyof typeof ASSETS) => escapeHtml(asset(name)?.title?.text ?? asset(name)?.data?.value ?? "");
  const picture = (name: keyof typeof ASSETS) => {
    const url = asset(name)?.img?.url;
    return url !== undefined && isWeb(url) ? `<img src="${escapeHtml(url)}" alt="">` : "";
  };
  const action = isWeb(link.url) ? `<a href="${escapeHtml(link.url)}">${words("action") || "Open"}</a>` : "";
  const body = `<div class="card">${picture("image")}<div class="head">${picture("icon")}${words("title")}</div><p>${words("text")}</p><p><small>${words("sponsor")}</small></p>${action}</div>`;
  return { html: page(body, ad, CARD), width: 320, height: 310, isFluid: false };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
