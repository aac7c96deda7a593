import { PROTOCOL } from "../lists.ts";
import type { Video } from "../media.ts";
import { acceptedProtocols } from "../stream-rules.ts";
import type { VastVersion } from "./vast-schema.data.ts";
import { placeIn, type VastSchema, vastSchema } from "./vast-schema.ts";
import { vastNode, type VastNode, writeVast } from "./write-vast.ts";

/** A video of our own, as players need it. */
export interface InlineVideo {
  /** Identifies the creative for good, such as its id at the platform. */
  creativeId: string;
  title: string;
  /** Its domain. */
  advertiser: string;
  url: string;
  /** Its media type, such as `video/mp4`. */
  type: string;
  /** In bytes. */
  size: number;
  width: number;
  height: number;
  durationMs: number;
  bitrateKbps: number;
  clickUrl: string;
}

interface InlineTerms {
  version: VastVersion;
  /** Identifies the ad among those that were returned. */
  adId: string;
  /** When the player may skip the video; null for never. */
  skipAfterSeconds: number | null;
  /** How long after its answer the ad may be shown. */
  expiresSeconds: number;
}

/** The name by which the platform's documents and creatives are known. */
const SYSTEM = "Millrace";

/**
 * Writes the VAST of a video of our own, in the order of the version's schema and without what the version does not have.
 * Impression and tracking events are left to the seller, who adds them to every ad.
 */
export function inlineVast(
  video: InlineVideo,
  { version, adId, skipAfterSeconds, expiresSeconds }: InlineTerms,
): string {
  const { creativeId, durationMs, width, height, type, size, bitrateKbps } = video;
  const file = vastNode("MediaFile", video.url, {
    delivery: "progressive",
    type,
    width,
    height,
    bitrate: bitrateKbps,
    scalable: "true",
    maintainAspectRatio: "true",
    fileSize: size,
    mediaType: "2D",
  });
  const linear = vastNode(
    "Linear",
    [
      vastNode("Duration", timeOf(durationMs)),
      vastNode("MediaFiles", [file]),
      vastNode("VideoClicks", [vastNode("ClickThrough", video.clickUrl)]),
    ],
    // A video that is over before cannot be skipped.
    { skipoffset: skipAfterSeconds === null ? undefined : timeOf(Math.min(durationMs, skipAfterSeconds * 1000)) },
  );
  const universal = vastNode("UniversalAdId", creativeId, { idRegistry: SYSTEM, idValue: creativeId });
  const creative = vastNode("Creative", [universal, linear], { id: creativeId, sequence: 1 });
  const inline = vastNode("InLine", [
    vastNode("AdSystem", SYSTEM),
    vastNode("AdServingId", adId),
    vastNode("AdTitle", video.title),
    vastNode("Advertiser", video.advertiser),
    vastNode("Creatives", [creative]),
    vastNode("Expires", String(expiresSeconds)),
  ]);
  const [ad] = known(version, vastSchema(version, "VAST"), [vastNode("Ad", [inline], { id: adId })]);
  return writeVast(version, ad ?? null);
}

/** Newest first, each with its protocol of OpenRTB and that of its wrappers. */
const VERSIONS: readonly (readonly [VastVersion, number, number])[] = [
  ["4.2", PROTOCOL.vast42, PROTOCOL.vast42Wrapper],
  ["4.1", PROTOCOL.vast41, PROTOCOL.vast41Wrapper],
  ["4.0", PROTOCOL.vast4, PROTOCOL.vast4Wrapper],
  ["3.0", PROTOCOL.vast3, PROTOCOL.vast3Wrapper],
  ["2.0", PROTOCOL.vast2, PROTOCOL.vast2Wrapper],
];

/** The newest version of VAST without a wrapper that a place accepts; null if none. A place without protocols accepts all. */
export function vastVersionFor(
  place: Pick<Video, "protocols" | "protocol">,
): { version: VastVersion; protocol: number } | null {
  const accepted = acceptedProtocols(place);
  const found = VERSIONS.find(([, number]) => accepted === null || accepted.includes(number));
  return found ? { version: found[0], protocol: found[1] } : null;
}

/**
 * The newest version of VAST in which a place accepts wrappers. A place that names no wrapper gets the newest version that it accepts,
 * because an address can only be sent in a document. Undefined if any version will do.
 */
export function wrapperVersionFor(place: Pick<Video, "protocols" | "protocol">): VastVersion | undefined {
  const accepted = acceptedProtocols(place);
  const found = VERSIONS.find(([, , wrapper]) => accepted?.includes(wrapper));
  return (found ?? VERSIONS.find(([, inline]) => accepted?.includes(inline)))?.[0];
}

/** Without the elements and attributes that a version does not have. */
function known(version: VastVersion, parent: VastSchema, nodes: readonly VastNode[]): VastNode[] {
  return nodes.flatMap(({ name, attributes = {}, content }) => {
    const child = parent.children[placeIn(parent, name)];
    if (!child) return [];
    const schema = vastSchema(version, child.type);
    const own = Object.entries(attributes).filter(([key]) => schema.attributes.has(key));
    return [
      vastNode(name, typeof content === "string" ? content : known(version, schema, content), Object.fromEntries(own)),
    ];
  });
}

/** A duration as `00:00:15.040`. */
function timeOf(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(Math.round(ms) % 1000).padStart(3, "0")}`;
}
