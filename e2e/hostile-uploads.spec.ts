import { MOST_IMAGE_BYTES } from "@millrace/contract";
import { expect, test } from "vitest";
import { declaredPng, someGif, someJpeg } from "../server/src/platform/images/testing/some-images.ts";
import { box, mp4Of, someVideo } from "../server/src/platform/videos/testing/some-videos.ts";
import { withCampaignForm } from "./support/add-campaign.ts";
import { button } from "./support/on-page.ts";
import { pngOf } from "./support/png-of.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

/** A ZIP of so many empty files; PKWARE's APPNOTE, sections 4.3.7 to 4.3.16. */
function zipOf(files: number): Buffer {
  const names = Array.from({ length: files }, (_, nth) => Buffer.from(`banner/${nth}.html`));
  const header = (signature: string, bytes: number, name: Buffer, nameAt: number) => {
    const made = Buffer.alloc(bytes);
    made.write(signature, "latin1");
    made.writeUInt16LE(name.length, nameAt);
    return Buffer.concat([made, name]);
  };
  const locals = names.map((name) => header("PK\x03\x04", 30, name, 26));
  const central = names.map((name) => header("PK\x01\x02", 46, name, 28));
  const end = header("PK\x05\x06", 22, Buffer.alloc(0), 20);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  return Buffer.concat([...locals, ...central, end]);
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const png = pngOf(320, 50);
const jpeg = await someJpeg();
const mp4 = await someVideo("h264.mp4");
const zip = zipOf(513);
const NO_IMAGE = "Use an image in PNG, JPEG or GIF format";
const NO_VIDEO = "Use a video in MP4, MOV or AVI format";
const DAMAGED_IMAGE = "This image is damaged or incomplete";
const DAMAGED_VIDEO = "This video is damaged or incomplete";

type Hostile = [name: string, content: Buffer | string, message: RegExp | string];
const IMAGES: readonly Hostile[] = [
  ["text.png", "hello", NO_IMAGE],
  ["script.png", SVG, NO_IMAGE],
  ["page.gif", "<!doctype html><script>alert(1)</script>", NO_IMAGE],
  ["shell.jpg", "#!/bin/sh\nrm -rf /", NO_IMAGE],
  ["program.png", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]), NO_IMAGE],
  ["paper.png", "%PDF-1.7\n", NO_IMAGE],
  ["film.png", mp4, NO_IMAGE],
  ["many.png", zip, NO_IMAGE],
  ["..%2f..%2fetc%2fpasswd.png", "root:x:0:0", NO_IMAGE],
  ["half.png", png.subarray(0, png.length - 40), DAMAGED_IMAGE],
  ["half.jpg", jpeg.subarray(0, jpeg.length / 2), DAMAGED_IMAGE],
  ["bomb.png", declaredPng(png, 50_000, 50_000), /Use an image of at most \d+ × \d+ pixels/],
  ["frames.gif", someGif({ frames: 5000 }), "Use an animation of at most 200 frames"],
  ["empty.png", "", "the file is empty"],
  ["large.png", Buffer.alloc(MOST_IMAGE_BYTES + 1), "the file is larger than 5 MB"],
  ["script.svg", SVG, "only PNG, JPEG and GIF images can be uploaded"],
  ["many.zip", zip, "only PNG, JPEG and GIF images can be uploaded"],
];
const VIDEOS: readonly Hostile[] = [
  ["picture.mp4", png, NO_VIDEO],
  ["script.mp4", SVG, NO_VIDEO],
  ["list.mp4", "#EXTM3U\nfile:///etc/passwd", NO_VIDEO],
  ["text.avi", "hello", NO_VIDEO],
  ["before.mp4", Buffer.concat([zip, mp4]), NO_VIDEO],
  ["behind.mp4", Buffer.concat([mp4, zip]), DAMAGED_VIDEO],
  ["half.mov", mp4.subarray(0, mp4.length / 2), DAMAGED_VIDEO],
  ["vast.mp4", mp4Of(box("mdat", Buffer.alloc(99), 0xffffffff)), DAMAGED_VIDEO],
  ["sound.mp4", await someVideo("audio.mp4"), "This file has no video in it"],
  ["empty.mp4", "", "the file is empty"],
  ["page.html", "<p>", "only MP4, MOV and AVI videos can be uploaded"],
];
const TYPES = new Map([
  ["svg", "image/svg+xml"],
  ["zip", "application/zip"],
  ["html", "text/html"],
  ["jpg", "image/jpeg"],
  ["gif", "image/gif"],
  ["mp4", "video/mp4"],
  ["mov", "video/quicktime"],
  ["avi", "video/x-msvideo"],
]);

test("hostile files are refused under the dropzone, each with its name and its own message, and none is kept", async () => {
  const person = await people.newPerson({ role: "ADV" });
  await withCampaignForm(person.context, async (page) => {
    const kept: string[] = [];
    page.on("response", (reply) => {
      if (new URL(reply.url()).pathname === "/campaign/upload" && reply.ok()) kept.push(reply.url());
    });
    await button(page, "Add a creative").click();
    for (const [kind, files] of [["an image", IMAGES] as const, ["a video", VIDEOS] as const]) {
      if (kind === "a video") await page.getByRole("radio", { name: "Video" }).check();
      const input = page.getByLabel(`Choose ${kind}, or drop it here`);
      for (const [name, content, message] of files) {
        const mimeType = TYPES.get(name.split(".").at(-1) ?? "") ?? "image/png";
        await input.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
        const refusal = page.getByRole("listitem").filter({ hasText: `${name}: ` });
        await refusal.filter({ hasText: message }).waitFor();
        expect(await refusal.count()).toBe(1);
        expect(await page.getByLabel("The uploaded creative").count()).toBe(0);
        expect(await page.getByAltText("The uploaded creative").count()).toBe(0);
      }
    }
    expect(kept).toEqual([]);
  });
});
