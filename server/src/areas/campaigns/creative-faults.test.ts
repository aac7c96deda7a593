import { BANNER_SIZES, type CampaignFormat } from "@millrace/contract";
import { expect, test } from "vitest";
import { creativeFaults } from "./creative-faults.ts";

const creative = (format: CampaignFormat, image_url: string) => ({
  c_id: null,
  format,
  store_id: "com.example.tide",
  country: "",
  cta: "",
  title: "",
  skip_timer: 0 as const,
  click_url: "https://shop.example/",
  tracking_url: "",
  image_url,
});
const files = new Map<string, { width: number; height: number; video: object | null }>([
  ["/files/film.mp4", { width: 320, height: 180, video: {} }],
  ["/files/wide.png", { width: 300, height: 50, video: null }],
  ["/files/odd.png", { width: 301, height: 50, video: null }],
]);

test("a banner may have each of the sizes and no other", () => {
  for (const size of BANNER_SIZES) {
    const campaign = { campaign_format: "banner" as const, creatives: [creative("banner", "/files/b.png")] };
    expect(creativeFaults(campaign, new Map([["/files/b.png", { ...size, video: null }]]), [])).toEqual({});
  }
  const campaign = { campaign_format: "banner" as const, creatives: [creative("banner", "/files/odd.png")] };
  expect(creativeFaults(campaign, files, [])["creatives.0.image_url"]).toMatch(
    /^This image has 301×50 pixels. A banner has one of these sizes: 300×50, .*728×90$/,
  );
});

test("an image that fills the screen may have any size", () => {
  const campaign = { campaign_format: "image" as const, creatives: [creative("image", "/files/odd.png")] };
  expect(creativeFaults(campaign, files, [])).toEqual({});
});

test("every fault is named by its place", () => {
  const creatives = [
    creative("image", "/files/wide.png"),
    creative("banner", "/files/wide.png"),
    creative("image", "/files/another-account.png"),
  ];
  expect(creativeFaults({ campaign_format: "image", creatives }, files, [])).toEqual({
    "creatives.1.format": "All creatives must have the campaign's format",
    "creatives.2.image_url": "Upload the image again",
  });
});

test("a video is no image, and an image no video", () => {
  const fault = (format: CampaignFormat, file: string) =>
    creativeFaults({ campaign_format: format, creatives: [creative(format, file)] }, files, [])[
      "creatives.0.image_url"
    ];
  expect(fault("video", "/files/film.mp4")).toBeUndefined();
  expect(fault("video", "/files/wide.png")).toBe("Use a video here");
  expect(fault("image", "/files/film.mp4")).toBe("Use an image here");
  expect(fault("banner", "/files/film.mp4")).toBe("Use an image here");
  expect(fault("video", "/files/none.mp4")).toBe("Upload the video again");
});
