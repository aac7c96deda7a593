import { vastNode, writeVast } from "@millrace/openrtb";
import type { Subject } from "./subjects.data.ts";

/** The facts of a VAST document. Addresses are absolute; `seconds` is the length of the media file. */
export interface Spot {
  /** Unique per ad served; written as AdServingId. */
  servingId: string;
  subject: Subject;
  kind: "video" | "audio";
  mediaUrl: string;
  clickUrl: string;
  /** Called by the player at the start of playback, and on errors (the player fills in `[ERRORCODE]`). */
  impressionUrl: string;
  errorUrl: string;
  seconds: number;
  skipAfterSeconds?: number;
  /** The size of the video file in pixels. */
  width: number;
  height: number;
}

/** A VAST 4.2 InLine document with one linear creative; `kind: audio` is section 3.9.2's adType. */
export function vastXml(spot: Spot): string {
  const { subject, kind, skipAfterSeconds } = spot;
  const creativeId = `${subject.slug}-${kind}`;
  const media =
    kind === "video"
      ? { type: "video/mp4", width: spot.width, height: spot.height, codec: "avc1.42C01E" }
      : { type: "audio/mpeg", width: 0, height: 0 };
  const linear = vastNode(
    "Linear",
    [
      vastNode("Duration", clock(spot.seconds)),
      vastNode("MediaFiles", [vastNode("MediaFile", spot.mediaUrl, { id: kind, delivery: "progressive", ...media })]),
      vastNode("VideoClicks", [vastNode("ClickThrough", spot.clickUrl)]),
    ],
    { skipoffset: skipAfterSeconds === undefined ? undefined : clock(skipAfterSeconds) },
  );
  const inLine = [
    vastNode("AdSystem", "Demand lab", { version: "1.0" }),
    vastNode("Error", spot.errorUrl),
    vastNode("Impression", spot.impressionUrl, { id: "lab" }),
    vastNode("AdServingId", spot.servingId),
    vastNode("AdTitle", subject.name),
    vastNode("Category", subject.category, { authority: "https://www.iabtechlab.com/categoryauthority" }),
    vastNode("Description", subject.line),
    vastNode("Advertiser", subject.domain),
    vastNode("Creatives", [
      vastNode("Creative", [vastNode("UniversalAdId", creativeId, { idRegistry: "unknown" }), linear], {
        id: creativeId,
        sequence: 1,
      }),
    ]),
  ];
  return writeVast("4.2", vastNode("Ad", [vastNode("InLine", inLine)], { id: subject.slug, adType: kind }));
}

/** Seconds as VAST's HH:MM:SS. */
function clock(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
