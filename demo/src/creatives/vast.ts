import { escapeMarkup } from "./banner.ts";
import type { Subject } from "./subjects.data.ts";

/** What a VAST document of the lab is made of. Addresses are absolute; `seconds` is the length of the media file. */
export interface Spot {
  /** Unique for the serving: becomes AdServingId. */
  servingId: string;
  subject: Subject;
  kind: "video" | "audio";
  mediaUrl: string;
  clickUrl: string;
  /** Fired by the player at begin-to-render, and on errors (`[ERRORCODE]` is filled by the player). */
  impressionUrl: string;
  errorUrl: string;
  seconds: number;
  skipAfterSeconds?: number;
  /** Pixels of the video file. */
  width: number;
  height: number;
}

/** A VAST 4.2 InLine document with one linear creative; `kind: audio` is section 3.9.2's adType. */
export function vastXml(spot: Spot): string {
  const { subject, kind } = spot;
  const skip = spot.skipAfterSeconds === undefined ? "" : ` skipoffset="${clock(spot.skipAfterSeconds)}"`;
  const media =
    kind === "video"
      ? `type="video/mp4" width="${spot.width}" height="${spot.height}" codec="avc1.42C01E"`
      : `type="audio/mpeg" width="0" height="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST">
  <Ad id="${escapeMarkup(subject.slug)}" adType="${kind}">
    <InLine>
      <AdSystem version="1.0">Demand lab</AdSystem>
      <Error>${cdata(spot.errorUrl)}</Error>
      <Impression id="lab">${cdata(spot.impressionUrl)}</Impression>
      <AdServingId>${escapeMarkup(spot.servingId)}</AdServingId>
      <AdTitle>${escapeMarkup(subject.name)}</AdTitle>
      <Category authority="https://www.iabtechlab.com/categoryauthority">${escapeMarkup(subject.category)}</Category>
      <Description>${escapeMarkup(subject.line)}</Description>
      <Advertiser>${escapeMarkup(subject.domain)}</Advertiser>
      <Creatives>
        <Creative id="${escapeMarkup(subject.slug)}-${kind}" sequence="1">
          <UniversalAdId idRegistry="unknown">${escapeMarkup(subject.slug)}-${kind}</UniversalAdId>
          <Linear${skip}>
            <Duration>${clock(spot.seconds)}</Duration>
            <MediaFiles>
              <MediaFile id="${kind}" delivery="progressive" ${media}>${cdata(spot.mediaUrl)}</MediaFile>
            </MediaFiles>
            <VideoClicks>
              <ClickThrough>${cdata(spot.clickUrl)}</ClickThrough>
            </VideoClicks>
          </Linear>
        </Creative>
      </Creatives>
    </InLine>
  </Ad>
</VAST>`;
}

const cdata = (url: string) => `<![CDATA[${url.replaceAll("]]>", "]]%3E")}]]>`;

/** Seconds as VAST's HH:MM:SS. */
function clock(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
