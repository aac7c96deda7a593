import { BANNER_SIZES } from "@millrace/contract";
import { expect, test } from "vitest";
import { creativeFaults } from "./creative-faults.ts";

const creative = (format: "image" | "banner", image_url: string) => ({
  c_id: null,
  format,
  store_id: "com.example.tide",
  cta: "",
  click_url: "https://shop.example/",
  tracking_url: "",
  image_url,
});
const images = new Map([
  ["/files/wide.png", { width: 300, height: 50 }],
  ["/files/odd.png", { width: 301, height: 50 }],
]);

test("a banner may have each of the sizes and no other", () => {
  for (const size of BANNER_SIZES) {
    const campaign = { campaign_format: "banner" as const, creatives: [creative("banner", "/files/b.png")] };
    expect(creativeFaults(campaign, new Map([["/files/b.png", size]]))).toEqual({});
  }
  const campaign = { campaign_format: "banner" as const, creatives: [creative("banner", "/files/odd.png")] };
  expect(creativeFaults(campaign, images)["creatives.0.image_url"]).toMatch(
    /^This image has 301×50 pixels. A banner has one of these sizes: 300×50, .*728×90$/,
  );
});

test("an image that fills the screen may have any size", () => {
  const campaign = { campaign_format: "image" as const, creatives: [creative("image", "/files/odd.png")] };
  expect(creativeFaults(campaign, images)).toEqual({});
});

test("every fault is named by its place", () => {
  const creatives = [
    creative("image", "/files/wide.png"),
    creative("banner", "/files/wide.png"),
    creative("image", "/files/another-account.png"),
  ];
  expect(creativeFaults({ campaign_format: "image", creatives }, images)).toEqual({
    "creatives.1.format": "All creatives must have the campaign's format",
    "creatives.2.image_url": "Upload the image again",
  });
});
