import { expect, test } from "vitest";
import { adDocument } from "./ad-document.ts";

const impression = 'https://ads.example.com/b/i?t=1&x="';
const shown = (type: "html" | "vast" | "native", content: string, size: { w: number; h: number } | null = null) =>
  adDocument({ markup: { type, content }, w: size?.w ?? null, h: size?.h ?? null, impression });
const parsed = (html = "") => new DOMParser().parseFromString(html, "text/html");

test("a banner is written as it is, in its own size, with our pixel after it", () => {
  const ad = shown("html", '<a href="https://shop.example/"><b id="ad">Buy</b></a>', { w: 300, h: 250 });
  expect([ad?.width, ad?.height, ad?.isFluid]).toEqual([300, 250, false]);
  const page = parsed(ad?.html);
  expect(page.querySelector("#ad")?.textContent).toBe("Buy");
  expect(page.querySelector("img:last-of-type")?.getAttribute("src")).toBe(impression);
});

test("a video or audio ad plays its first media file", () => {
  const vast = (type: string, url: string) =>
    `<VAST version="4.2"><Ad><InLine><Creatives><Creative><Linear><MediaFiles><MediaFile type="${type}"><![CDATA[ ${url} ]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
  const video = parsed(shown("vast", vast("video/mp4", "https://b.example/v.mp4?a=1&b=2"))?.html).querySelector(
    "video",
  );
  expect([video?.getAttribute("src"), video?.hasAttribute("muted")]).toEqual(["https://b.example/v.mp4?a=1&b=2", true]);
  const audio = parsed(shown("vast", vast("audio/mpeg", "https://b.example/a.mp3"))?.html).querySelector("audio");
  expect(audio?.getAttribute("src")).toBe("https://b.example/a.mp3");
  expect(shown("vast", vast("video/mp4", "javascript:alert(1)"))).toBeNull();
  expect(
    shown("vast", "<VAST><Ad><Wrapper><VASTAdTagURI>https://b.example/</VASTAdTagURI></Wrapper></Ad></VAST>"),
  ).toBeNull();
  expect(shown("vast", "not xml")).toBeNull();
});

test("a native ad is laid out from its assets, whose text stays text", () => {
  const response = {
    ver: "1.2",
    link: { url: "https://shop.example/?a=1&b=2" },
    assets: [
      { id: 1, title: { text: "<script>alert(1)</script>" } },
      { id: 2, img: { url: "javascript:alert(1)" } },
      { id: 3, img: { url: "https://b.example/main.png" } },
      { id: 4, data: { value: "Fresh & new" } },
      { id: 5, data: { value: "Install" } },
    ],
  };
  const page = parsed(shown("native", JSON.stringify(response))?.html);
  expect(page.querySelector(".head")?.textContent).toBe("<script>alert(1)</script>");
  expect(page.querySelector("script")).toBeNull();
  expect([...page.querySelectorAll(".card img")].map((image) => image.getAttribute("src"))).toEqual([
    "https://b.example/main.png",
  ]);
  expect(page.querySelector("p")?.textContent).toBe("Fresh & new");
  const link = page.querySelector("a");
  expect([link?.getAttribute("href"), link?.textContent]).toEqual(["https://shop.example/?a=1&b=2", "Install"]);
  expect(shown("native", "{")).toBeNull();
  expect(
    parsed(shown("native", JSON.stringify({ link: { url: "data:text/html,x" } }))?.html).querySelector("a"),
  ).toBeNull();
});
