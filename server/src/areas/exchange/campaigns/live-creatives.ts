import type { CampaignFormat } from "@millrace/contract";
import { type InlineVideo, type NativeOffer, urlOf, webUrl, withoutWww } from "@millrace/openrtb";
import { pathOfFile, typeOfFile } from "../../../platform/files/serve-stored-files.ts";
import type { UploadRow } from "../../campaigns/index.ts";
import { comparedAs, DEVICE_MACRO, hasMacro } from "../../measurement/index.ts";
import { creativeHtml } from "./creative-html.ts";

/** An approved creative. */
export interface LiveCreative {
  id: number;
  uuid: string;
  w: number;
  h: number;
  /** Of its image or video. */
  fileUrl: string;
  /** With macros. */
  clickUrl: string;
  /** The domains of its own address and of where its click leads, by which publishers block it. */
  adomain: string[];
  /** IAB categories that a moderator has found, by which publishers block it. */
  categories: string[];
  /** A moderator has found it suitable for children. */
  forChildren: boolean;
  /** With macros; empty for none. */
  trackingUrl: string;
  /** A link of it has the macro of the hashed advertising id. */
  asksForDevice: boolean;
  /** Creatives of a campaign with the same text are compared with each other. */
  comparedAs: string;
  /** The markup of an image or a banner with a link to this address. */
  html(href: string): string;
  /** Null for an image without a headline, and for other formats. */
  native: NativeOffer | null;
  /** Null for an image or a banner. */
  video: LiveVideo | null;
}

export interface LiveVideo extends InlineVideo {
  /** Seconds after which it may be skipped; 0 for never. */
  skipAfter: number;
}

/** A creative with its upload and its campaign's app. */
export interface CreativeRow {
  id: number;
  uuid: string;
  campaign_id: number;
  format: CampaignFormat;
  cta: string;
  title: string;
  skip_timer: number;
  click_url: string;
  tracking_url: string;
  categories: string[];
  for_children: boolean;
  /** The app's picture in its store. */
  logo_url: string | null;
  file: string;
  bytes: number;
  width: number;
  height: number;
  video: UploadRow["video"];
}

/** Null if its link is no web address: then it cannot be shown. */
export function creativeOf(
  row: CreativeRow,
  links: { click_link: string; view_link: string },
  publicUrl: string,
): LiveCreative | null {
  const ownUrl = safeUrl(row.click_url);
  if (ownUrl === null) return null;
  const clickUrl = safeUrl(links.click_link) ?? ownUrl;
  const trackingUrl = safeUrl(row.tracking_url) ?? safeUrl(links.view_link) ?? "";
  const { id, uuid, format, width: w, height: h, cta } = row;
  const fileUrl = publicUrl + pathOfFile(row.file);
  const domain = domainOf(ownUrl);
  const shared = { fileUrl, clickUrl, domain };
  return {
    id,
    uuid,
    w,
    h,
    fileUrl,
    clickUrl,
    // Both, so that a block of either applies.
    adomain: [...new Set([domain, domainOf(clickUrl)])],
    categories: row.categories,
    forChildren: row.for_children,
    trackingUrl,
    asksForDevice: hasMacro(clickUrl + trackingUrl, DEVICE_MACRO),
    comparedAs: comparedAs(row),
    html: creativeHtml({ format: format === "banner" ? "banner" : "image", w, h, imageUrl: fileUrl, cta }),
    native: format === "image" && row.title !== "" ? nativeOf(row, shared) : null,
    video: liveVideo({ ...row, title: cta === "" ? domain : cta }, shared),
  };
}

/** The domain that a bid names as its advertiser's, of the page that it opens. */
export const domainOf = (url: string): string => withoutWww(new URL(url).hostname);

interface Shared {
  fileUrl: string;
  clickUrl: string;
  domain: string;
}

const nativeOf = (row: CreativeRow, { fileUrl, clickUrl, domain }: Shared): NativeOffer => ({
  title: row.title,
  image: { url: fileUrl, type: typeOfFile(row.file), w: row.width, h: row.height },
  iconUrl: row.logo_url === null ? null : safeUrl(row.logo_url),
  callToAction: row.cta,
  domain,
  clickUrl,
});

/** An uploaded video as it is sold. Null for an image. */
export function liveVideo(
  row: UploadRow & { uuid: string; title: string; skip_timer: number },
  { fileUrl, clickUrl, domain }: Shared,
): LiveVideo | null {
  const { video, uuid, title, skip_timer, bytes, width, height } = row;
  return (
    video && {
      creativeId: uuid,
      title,
      advertiser: domain,
      url: fileUrl,
      type: typeOfFile(row.file),
      size: bytes,
      width,
      height,
      durationMs: video.duration_ms,
      bitrateKbps: video.bitrate_kbps,
      clickUrl,
      skipAfter: skip_timer,
    }
  );
}

/** An entered address as one that needs no escaping in a header and is no script; null if it is no web address. */
export function safeUrl(text: string): string | null {
  const href = urlOf(text)?.href ?? "";
  return webUrl(href.replaceAll(/[\s"'<>`\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)) ?? null;
}
