import { FORMATS, PLATFORMS } from "@millrace/contract";
import { parseNativeRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { buildImp, isPlayable, type Place } from "./build-imp.ts";

const place: Place = {
  zone: "main",
  format: "banner",
  w: null,
  h: null,
  screen: null,
  isSecure: true,
  sdkVersion: "1.0.0",
  maxSeconds: 30,
};

test("a Roku, which has no web view, is offered pictures and the videos that it plays", () => {
  for (const format of ["banner", "interstitial"] as const) {
    const { banner } = buildImp({ ...place, format }, "roku");
    expect(banner).toMatchObject({ btype: [1, 3, 4], mimes: ["image/jpeg", "image/png"] });
    expect(banner).not.toHaveProperty("api");
  }
  for (const format of ["video", "rewarded"] as const) {
    expect(buildImp({ ...place, format }, "roku").video?.mimes).toEqual([
      "video/mp4",
      "application/x-mpegURL",
      "application/dash+xml",
    ]);
  }
});

test("every other platform is offered MRAID, and videos of browsers", () => {
  for (const platform of PLATFORMS.filter((one) => one !== "roku")) {
    expect(buildImp(place, platform).banner).toMatchObject({ api: [3, 5, 6] });
    expect(buildImp({ ...place, format: "video" }, platform).video?.mimes).toEqual(["video/mp4", "video/webm"]);
  }
});

test("audio is asked for in every version that the player reads, with wrappers, as video is", () => {
  const { audio } = buildImp({ ...place, format: "audio" }, "android");
  const { video } = buildImp({ ...place, format: "video" }, "android");
  expect(audio?.protocols?.toSorted((a, b) => a - b)).toEqual([2, 3, 5, 6, 7, 8, 11, 12, 13, 14]);
  expect(video?.protocols).toEqual(audio?.protocols);
});

test("a Roku plays every format but audio, and every other platform plays all", () => {
  expect(FORMATS.filter((format) => !isPlayable(format, "roku"))).toEqual(["audio"]);
  for (const platform of PLATFORMS.filter((one) => one !== "roku")) {
    expect(FORMATS.filter((format) => !isPlayable(format, platform))).toEqual([]);
  }
});

test("a native ad on a Roku is asked for trackers that are images, and elsewhere also for scripts", () => {
  const methodsOn = (platform: "roku" | "android") => {
    const asked = parseNativeRequest(buildImp({ ...place, format: "native" }, platform).native?.request);
    return asked.ok && asked.value.eventtrackers?.map(({ methods }) => methods);
  };
  expect(methodsOn("roku")).toEqual([[1]]);
  expect(methodsOn("android")).toEqual([[1, 2]]);
});
