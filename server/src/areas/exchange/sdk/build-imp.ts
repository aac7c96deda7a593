import type { Format, Platform } from "@millrace/contract";
import {
  type Audio,
  type Banner,
  type Imp,
  NATIVE_DATA,
  NATIVE_EVENT,
  NATIVE_IMAGE,
  NATIVE_METHOD,
  type NativeRequest,
  PLAYBACK_METHOD,
  PROTOCOL,
  type Video,
  VIDEO_PLACEMENT,
} from "@millrace/openrtb";

/** The id of the only imp in an SDK's request. */
export const SDK_IMP_ID = "1";

export interface Place {
  zone: string;
  format: Format;
  /** The requested size in device-independent pixels; null for the default. */
  w: number | null;
  h: number | null;
  /** The whole screen, in the same unit. */
  screen: { w: number; h: number } | null;
  isSecure: boolean;
  sdkVersion: string;
  /** The maximum duration of video or audio. */
  maxSeconds: number;
  /** How long an ad may wait to be shown; absent if its player says nothing about it. */
  waitSeconds?: number;
}

/** Whether the SDK of a platform plays a format: that of Roku has no audio ads. */
export const isPlayable = (format: Format, platform: Platform): boolean => platform !== "roku" || format !== "audio";

/** Builds the imp of a place (OpenRTB 2.6, section 3.2.4). */
export function buildImp(place: Place, platform: Platform): Imp {
  const imp: Imp = {
    id: SDK_IMP_ID,
    tagid: place.zone,
    secure: place.isSecure ? 1 : 0,
    displaymanager: "Millrace",
    displaymanagerver: place.sdkVersion,
    ...(place.waitSeconds !== undefined && { exp: place.waitSeconds }),
    ...offerOf(place, platform),
  };
  return imp;
}

function offerOf(place: Place, platform: Platform): Partial<Imp> {
  switch (place.format) {
    case "banner":
      return { banner: bannerOf(platform, [{ w: place.w ?? 320, h: place.h ?? 50 }]) };
    case "interstitial":
      return { instl: 1, banner: bannerOf(platform, fullScreenSizes(place)) };
    case "video":
      return { video: { ...videoOf(place, platform), plcmt: VIDEO_PLACEMENT.standalone, skip: 1, skipafter: 5 } };
    case "rewarded":
      return {
        instl: 1,
        rwdd: 1,
        video: { ...videoOf(place, platform), plcmt: VIDEO_PLACEMENT.interstitial, skip: 0 },
      };
    case "native":
      return { native: { ver: "1.2", request: platform === "roku" ? NATIVE_WITHOUT_SCRIPTS : NATIVE_TEXT } };
    case "audio":
      return { audio: audioOf(place) };
  }
}

/** MRAID 1, 2 and 3 (AdCOM 1.0, "List: API Frameworks"). */
const MRAID = [3, 5, 6];

/** What ads may need of a device: by default a web view, and what its player plays. */
const SHOWN: Pick<Banner, "api"> = { api: MRAID };
const PLAYED = ["video/mp4", "video/webm"];
/** A Roku has no web view: pictures only, so no text, JavaScript or frame (OpenRTB 2.5, section 5.2: 2 is an image with its link). */
const SHOWN_ON_ROKU: Pick<Banner, "btype" | "mimes"> = { btype: [1, 3, 4], mimes: ["image/jpeg", "image/png"] };
const PLAYED_ON_ROKU = ["video/mp4", "application/x-mpegURL", "application/dash+xml"];

const bannerOf = (platform: Platform, format: { w: number; h: number }[]): Banner => ({
  w: format[0]?.w,
  h: format[0]?.h,
  format,
  ...(platform === "roku" ? SHOWN_ON_ROKU : SHOWN),
});

function fullScreenSizes({ w, h, screen }: Place): { w: number; h: number }[] {
  const own = w !== null && h !== null ? { w, h } : screen;
  const isWide = own !== null && own.w > own.h;
  const usual = isWide
    ? [{ w: 480, h: 320 }]
    : [
        { w: 320, h: 480 },
        { w: 300, h: 250 },
      ];
  return own === null ? usual : [own, ...usual.filter((size) => size.w !== own.w || size.h !== own.h)];
}

/** The players of our SDKs follow wrappers of every version that they read, for audio as for video. */
const PROTOCOLS = [
  PROTOCOL.vast2,
  PROTOCOL.vast3,
  PROTOCOL.vast2Wrapper,
  PROTOCOL.vast3Wrapper,
  PROTOCOL.vast4,
  PROTOCOL.vast4Wrapper,
  PROTOCOL.vast41,
  PROTOCOL.vast41Wrapper,
  PROTOCOL.vast42,
  PROTOCOL.vast42Wrapper,
];

const videoOf = ({ w, h, screen, maxSeconds }: Place, platform: Platform): Video => ({
  mimes: platform === "roku" ? PLAYED_ON_ROKU : PLAYED,
  minduration: 1,
  maxduration: maxSeconds,
  protocols: PROTOCOLS,
  w: w ?? screen?.w ?? 640,
  h: h ?? screen?.h ?? 360,
  linearity: 1,
  playbackmethod: [PLAYBACK_METHOD.viewportSoundOn],
});

const audioOf = ({ maxSeconds }: Place): Audio => ({
  mimes: ["audio/mpeg", "audio/mp4", "audio/ogg"],
  minduration: 1,
  maxduration: maxSeconds,
  protocols: PROTOCOLS,
});

/** The assets of a native ad (Native 1.2, section 4). */
const NATIVE: NativeRequest = {
  ver: "1.2",
  context: 1,
  plcmttype: 1,
  privacy: 1,
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, img: { type: NATIVE_IMAGE.icon, wmin: 50, hmin: 50 } },
    { id: 3, img: { type: NATIVE_IMAGE.main, wmin: 300, hmin: 157 } },
    { id: 4, data: { type: NATIVE_DATA.description, len: 140 } },
    { id: 5, data: { type: NATIVE_DATA.callToAction, len: 25 } },
    { id: 6, data: { type: NATIVE_DATA.sponsored, len: 40 } },
  ],
  eventtrackers: [{ event: NATIVE_EVENT.impression, methods: [NATIVE_METHOD.image, NATIVE_METHOD.script] }],
};
const NATIVE_TEXT = JSON.stringify(NATIVE);
const NATIVE_WITHOUT_SCRIPTS = JSON.stringify({
  ...NATIVE,
  eventtrackers: [{ event: NATIVE_EVENT.impression, methods: [NATIVE_METHOD.image] }],
} satisfies NativeRequest);
