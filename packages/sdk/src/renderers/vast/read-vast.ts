import { VAST_ERROR, VastError } from "./vast-error.ts";

// VAST 4.2 and the versions before it, as far as a linear ad needs them. Names are the standard's.

export interface MediaFile {
  url: string;
  type: string;
  w: number;
  h: number;
  /** Kilobits per second; 0 if it is not told. */
  bitrate: number;
  bytes: number;
}

/** Something to look at: an image, a page or HTML, of which one is set. */
export interface Resource {
  image: string | null;
  page: string | null;
  html: string | null;
}

export interface Companion extends Resource {
  w: number;
  h: number;
  /** When it is shown (VAST 4.1 and later): `end-card`, `concurrent`, or `default`, which leaves that to the player. */
  renderingMode: string | null;
  clickThrough: string | null;
  clickTracking: string[];
  views: string[];
}

export interface Icon extends Resource {
  w: number;
  h: number;
  /** `left`, `right`, `top`, `bottom` or a number of pixels. */
  x: string;
  y: string;
  offsetSeconds: number;
  durationSeconds: number;
  clickThrough: string | null;
  clickTracking: string[];
  views: string[];
}

export interface Verification {
  vendor: string;
  /** The script for OMID; null if there is none that this player can run. */
  script: string | null;
  parameters: string;
  notExecuted: string[];
}

/** One document's ad: its own parts, without those of the documents around it. */
export interface VastAd {
  /** The address of the wrapped document; null for an inline ad. */
  wraps: string | null;
  followsWrappers: boolean;
  impressions: string[];
  errors: string[];
  /** Addresses by event of a linear ad; `progress` is apart. */
  tracking: Map<string, string[]>;
  progress: { offset: string; url: string }[];
  clickThrough: string | null;
  clickTracking: string[];
  durationSeconds: number;
  /** `HH:MM:SS`, `n%` or null. */
  skipOffset: string | null;
  mediaFiles: MediaFile[];
  companions: Companion[];
  icons: Icon[];
  verifications: Verification[];
}

/** Reads the first ad of a document. Throws VastError. */
export function readVast(text: string): VastAd {
  const root = new DOMParser().parseFromString(text.replace(/^\uFEFF?\s+/, ""), "text/xml").documentElement;
  if (root.localName === "parsererror" || root.getElementsByTagName("parsererror").length > 0) {
    throw new VastError(VAST_ERROR.xml, "The document is not XML", []);
  }
  if (root.localName !== "VAST") throw new VastError(VAST_ERROR.schema, "The document is not VAST", []);
  if (!/^[234]\./.test(root.getAttribute("version") ?? "")) {
    throw new VastError(VAST_ERROR.version, "The version of VAST is not known", []);
  }
  const rootErrors = urls(childrenNamed(root, "Error"));
  const ad = childrenNamed(root, "Ad").find((each) => first(each, "InLine", "Wrapper"));
  const body = ad && first(ad, "InLine", "Wrapper");
  if (!body) throw new VastError(VAST_ERROR.noAd, "The document has no ad", rootErrors);
  const isWrapper = body.localName === "Wrapper";
  const errors = [...rootErrors, ...urls(childrenNamed(body, "Error"))];
  const wraps = isWrapper ? webUrl(first(body, "VASTAdTagURI")) : null;
  if (isWrapper && wraps === null) throw new VastError(VAST_ERROR.schema, "The wrapper has no address", errors);

  const creatives = childrenNamed(body, "Creatives").flatMap((each) => childrenNamed(each, "Creative"));
  const linears = creatives.flatMap((each) => childrenNamed(each, "Linear"));
  const tracked = linears.flatMap((each) => below(each, "TrackingEvents", "Tracking"));
  const clicks = linears.flatMap((each) => childrenNamed(each, "VideoClicks"));
  const [linear] = linears;
  return {
    wraps,
    followsWrappers: !/^(false|0)$/.test(body.getAttribute("followAdditionalWrappers") ?? ""),
    impressions: urls(childrenNamed(body, "Impression")),
    errors,
    tracking: trackingOf(tracked.filter((each) => each.getAttribute("event") !== "progress")),
    progress: tracked.flatMap((each) => {
      const [offset, url] = [each.getAttribute("offset"), webUrl(each)];
      return each.getAttribute("event") === "progress" && offset && url !== null ? [{ offset, url }] : [];
    }),
    clickThrough: webUrl(clicks.flatMap((each) => childrenNamed(each, "ClickThrough"))[0]),
    clickTracking: urls(clicks.flatMap((each) => childrenNamed(each, "ClickTracking"))),
    durationSeconds: secondsOf(textOf(linear && first(linear, "Duration"))) ?? 0,
    skipOffset: linear?.getAttribute("skipoffset") ?? null,
    mediaFiles: linears.flatMap((each) => below(each, "MediaFiles", "MediaFile")).flatMap(mediaFileOf),
    companions: creatives.flatMap((each) => below(each, "CompanionAds", "Companion")).map(companionOf),
    icons: linears.flatMap((each) => below(each, "Icons", "Icon")).map(iconOf),
    verifications: [...childrenNamed(body, "AdVerifications"), ...inExtensions(body)].flatMap((each) =>
      childrenNamed(each, "Verification").map(verificationOf),
    ),
  };
}

/** Seconds of `HH:MM:SS` or `HH:MM:SS.mmm`; null for anything else. */
export function secondsOf(clock: string): number | null {
  const [, h, m, s] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(clock.trim()) ?? [];
  return s === undefined ? null : Number(h) * 3600 + Number(m) * 60 + Number(s);
}

/** Seconds of an offset, which may be a share of the duration; null if it is neither. */
export function offsetSeconds(offset: string, durationSeconds: number): number | null {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(offset.trim()) ?? [];
  return percent === undefined ? secondsOf(offset) : (Number(percent) / 100) * durationSeconds;
}

const childrenNamed = (from: Element, name: string) => [...from.children].filter((child) => child.localName === name);
const first = (from: Element, ...names: string[]) =>
  [...from.children].find((child) => names.includes(child.localName));
const below = (from: Element, list: string, name: string) =>
  childrenNamed(from, list).flatMap((each) => childrenNamed(each, name));
const textOf = (from: Element | undefined) => (from?.textContent ?? "").trim();
const number = (from: Element, name: string) => Math.max(0, Number(from.getAttribute(name)) || 0);
const urls = (from: Element[]) => from.flatMap((each) => webUrl(each) ?? []);

/** Only addresses of the web: an ad must not call `javascript:` or `data:`. */
function webUrl(from: Element | undefined): string | null {
  const text = textOf(from);
  return /^https?:\/\//i.test(text) ? text : null;
}

function trackingOf(elements: Element[]): Map<string, string[]> {
  const tracking = new Map<string, string[]>();
  for (const each of elements) {
    const [event, url] = [each.getAttribute("event") ?? "", webUrl(each)];
    if (url !== null) tracking.set(event, [...(tracking.get(event) ?? []), url]);
  }
  return tracking;
}

function mediaFileOf(from: Element): MediaFile[] {
  const url = webUrl(from);
  if (url === null || from.getAttribute("delivery") === "streaming" || from.getAttribute("apiFramework")) return [];
  return [
    {
      url,
      type: from.getAttribute("type") ?? "",
      w: number(from, "width"),
      h: number(from, "height"),
      bitrate: number(from, "bitrate") || number(from, "maxBitrate"),
      bytes: number(from, "fileSize"),
    },
  ];
}

function resourceOf(from: Element): Resource {
  const image = first(from, "StaticResource");
  const isImage = /^image\//i.test(image?.getAttribute("creativeType") ?? "");
  return {
    image: isImage ? webUrl(image) : null,
    page: webUrl(first(from, "IFrameResource")),
    html: textOf(first(from, "HTMLResource")) || null,
  };
}

const companionOf = (from: Element): Companion => ({
  ...resourceOf(from),
  w: number(from, "width"),
  h: number(from, "height"),
  renderingMode: from.getAttribute("renderingMode"),
  clickThrough: webUrl(first(from, "CompanionClickThrough")),
  clickTracking: urls(childrenNamed(from, "CompanionClickTracking")),
  views: trackingOf(below(from, "TrackingEvents", "Tracking")).get("creativeView") ?? [],
});

function iconOf(from: Element): Icon {
  const clicks = first(from, "IconClicks");
  return {
    ...resourceOf(from),
    w: number(from, "width"),
    h: number(from, "height"),
    x: from.getAttribute("xPosition") ?? "right",
    y: from.getAttribute("yPosition") ?? "top",
    offsetSeconds: secondsOf(from.getAttribute("offset") ?? "") ?? 0,
    durationSeconds: secondsOf(from.getAttribute("duration") ?? "") ?? Infinity,
    clickThrough: clicks ? webUrl(first(clicks, "IconClickThrough")) : null,
    clickTracking: clicks ? urls(childrenNamed(clicks, "IconClickTracking")) : [],
    views: urls(childrenNamed(from, "IconViewTracking")),
  };
}

/** Before VAST 4.1, AdVerifications were an extension. */
const inExtensions = (body: Element) =>
  below(body, "Extensions", "Extension").flatMap((each) => childrenNamed(each, "AdVerifications"));

function verificationOf(from: Element): Verification {
  const script = childrenNamed(from, "JavaScriptResource").find((each) => each.getAttribute("apiFramework") === "omid");
  return {
    vendor: from.getAttribute("vendor") ?? "",
    script: webUrl(script),
    parameters: textOf(first(from, "VerificationParameters")),
    notExecuted: trackingOf(below(from, "TrackingEvents", "Tracking")).get("verificationNotExecuted") ?? [],
  };
}
