import {
  edited,
  insertNodes,
  readVast,
  VAST_EVENTS,
  type VastFault,
  type Video,
  vastNode,
  type VastNode,
  type VastVersion,
  webUrl,
  wrapperVersionFor,
  writeVast,
  type XmlEdit,
  type XmlElement,
} from "@millrace/openrtb";
import { PLAYER_EVENTS } from "@millrace/contract";
import type { TrackingUrls } from "../delivery/beacon-urls.ts";

/** The version of our own documents where a place does not ask for another. */
const OWN_VERSION: VastVersion = "4.2";

/** The first version that marks ads for audio players. */
const AUDIO_SINCE: VastVersion = "4.1";

/** A response without an ad (VAST 4.2, section 2.3.6.4). */
export const EMPTY_VAST = writeVast(OWN_VERSION, null);

/** Our tracking in a document. `isAudio` marks the ad for audio players (section 3.3). */
export interface VastTracking {
  adId: string;
  beacons: TrackingUrls;
  isAudio: boolean;
  /** The place, whose protocols decide the version of our wrapper. */
  place?: Pick<Video, "protocols" | "protocol"> | undefined;
}

export type TrackedVast = { ok: true; xml: string } | { ok: false; reason: VastFault };

/**
 * Adds our Impression, Error, ClickTracking and tracking events to a bidder's VAST, in the order of its version's schema. An
 * address becomes a Wrapper. The schemas of 2.0.1 and 3.0 allow only one Error, so the bidder's stays unless it is empty.
 * Refuses anything else, and VAST without an ad, with a reason, because it could not be counted.
 */
export function trackedVast(adm: string, tracking: VastTracking): TrackedVast {
  const text = adm.trim();
  if (webUrl(text) !== undefined) return { ok: true, xml: wrapperVast(text, tracking) };
  const read = readVast(text);
  if (!read.ok) return read;
  const { version, ad, body, kind } = read;
  const linears = linearsOf(body);
  const nodes = adNodes(tracking);
  // A wrapper's own Linear has the tracking events of the wrapped ad.
  if (kind === "Wrapper" && linears.length === 0) nodes.push(trackingCreatives(version, tracking));
  const xml = edited(text, [
    ...encodingEdit(text),
    ...audioEdit(text, version, ad, tracking),
    ...insertNodes(text, version, kind, body, nodes),
    ...linears.flatMap((linear) =>
      insertNodes(text, version, `${kind}Linear`, linear, linearNodes(version, tracking.beacons)),
    ),
  ]);
  return { ok: true, xml };
}

function linearsOf(body: XmlElement): XmlElement[] {
  const below = (elements: XmlElement[], name: string) =>
    elements.flatMap(({ children }) => children.filter((child) => child.name === name));
  return below(below(below([body], "Creatives"), "Creative"), "Linear");
}

/** Corrects the document's declared encoding, because the response is always UTF-8. */
function encodingEdit(text: string): XmlEdit[] {
  const [, before, named] = /^(\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*)(["'][^"'>]*["'])/.exec(text) ?? [];
  if (before === undefined || named === undefined || /^.utf-8.$/i.test(named)) return [];
  return [{ at: before.length, remove: named.length, insert: '"UTF-8"' }];
}

function audioEdit(text: string, version: VastVersion, ad: XmlElement, { isAudio }: VastTracking): XmlEdit[] {
  if (!isAudio || version < AUDIO_SINCE || /\sadType\s*=/.test(text.slice(ad.openAt, ad.openEnd))) return [];
  return [{ at: ad.openAt + "<Ad".length, remove: 0, insert: ' adType="audio"' }];
}

/** Our own document that wraps the address of another. */
function wrapperVast(url: string, tracking: VastTracking): string {
  const version = wrapperVersionFor(tracking.place ?? {}) ?? OWN_VERSION;
  const wrapper = [
    vastNode("AdSystem", "Millrace"),
    vastNode("VASTAdTagURI", url),
    ...adNodes(tracking),
    trackingCreatives(version, tracking),
  ];
  const follows = version < "4" ? {} : { followAdditionalWrappers: "true" };
  const marked = tracking.isAudio && version >= AUDIO_SINCE ? { adType: "audio" } : {};
  const ad = vastNode("Ad", [vastNode("Wrapper", wrapper, follows)], { id: tracking.adId, ...marked });
  return writeVast(version, ad);
}

/** Without ids, because a wrapper's Impression has none before 4.0. The player expands the macro to its error code. */
function adNodes({ beacons }: VastTracking): VastNode[] {
  return [vastNode("Impression", beacons.impression), vastNode("Error", `${beacons.loss}&e=[ERRORCODE]`)];
}

const trackingCreatives = (version: VastVersion, { beacons }: VastTracking) =>
  vastNode("Creatives", [vastNode("Creative", [vastNode("Linear", linearNodes(version, beacons))])]);

function linearNodes(version: VastVersion, beacons: TrackingUrls): VastNode[] {
  const events = PLAYER_EVENTS.filter((event) => VAST_EVENTS[version].includes(event));
  return [
    vastNode(
      "TrackingEvents",
      events.map((event) => vastNode("Tracking", `${beacons.player}&e=${event}`, { event })),
    ),
    ...(beacons.click === null ? [] : [vastNode("VideoClicks", [vastNode("ClickTracking", beacons.click)])]),
  ];
}
