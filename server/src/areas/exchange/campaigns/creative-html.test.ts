import { expect, test } from "vitest";
import { JSDOM } from "../testing/dom.ts";
import { creativeHtml, type ShownCreative } from "./creative-html.ts";

const BANNER: ShownCreative = {
  format: "banner",
  w: 320,
  h: 50,
  imageUrl: "https://ads.example.com/files/a.png",
  cta: "Install",
};
const LINK = "https://shop.example/tide?a=1&b=2";

function documentOf(creative: Partial<ShownCreative>, href = LINK) {
  const html = creativeHtml({ ...BANNER, ...creative })(href);
  const { body } = new JSDOM(`<!doctype html><body>${html}</body>`).window.document;
  return { html, body, link: body.querySelector("a"), image: body.querySelector("img") };
}

test("a banner is a link around its picture in the picture's size, with its button", () => {
  const { body, link, image } = documentOf({});
  expect([...body.children].map(({ tagName }) => tagName)).toEqual(["A"]);
  expect(link?.getAttribute("href")).toBe(LINK);
  expect([link?.getAttribute("target"), link?.getAttribute("rel")]).toEqual(["_blank", "noopener noreferrer"]);
  expect([image?.getAttribute("src"), image?.getAttribute("width"), image?.getAttribute("height")]).toEqual([
    BANNER.imageUrl,
    "320",
    "50",
  ]);
  expect(image?.getAttribute("alt")).toBe("Install");
  expect(body.querySelector("span")?.textContent).toBe("Install");
});

test("a full-screen image is wholly visible on any screen, whatever its size", () => {
  const { link, image } = documentOf({ format: "image", w: 720, h: 1280 });
  expect(link?.getAttribute("style")).toContain("width:100vw;height:100vh");
  expect(image?.getAttribute("style")).toContain("width:100%;height:100%;object-fit:contain");
});

test("a creative without words has no button, and its picture still has a name", () => {
  const { body, image } = documentOf({ cta: "" });
  expect([body.querySelector("span"), image?.getAttribute("alt")]).toEqual([null, "Advertisement"]);
});

test.each([
  `"><script>parent.x=1</script>`,
  `' onclick='alert(1)`,
  `</span></a><img src=x onerror=alert(1)>`,
  "<!--",
  "</style><script>1</script>",
  "&lt;script&gt;",
  "${AUCTION_PRICE}",
  "\u202Etxet",
])("no words and no address break out of the markup: %s", (hostile) => {
  for (const { html, body, link, image } of [
    documentOf({ cta: hostile }),
    documentOf({}, `https://shop.example/?q=${hostile}`),
    documentOf({ imageUrl: `https://ads.example.com/files/${hostile}` }),
    documentOf({ format: "image", cta: hostile }),
  ]) {
    expect([...body.querySelectorAll("*")].map(({ tagName }) => tagName)).toEqual(["A", "IMG", "SPAN"]);
    const attributes = (of: string) => [...of.matchAll(/ ([a-z-]+)="/g)].map(([, name]) => name);
    expect(attributes(html).join(" ")).toBe("href target rel style src width height alt style aria-hidden style");
    expect([link?.getAttribute("onclick"), image?.getAttribute("onerror")]).toEqual([null, null]);
  }
  expect(documentOf({ cta: hostile }).body.querySelector("span")?.textContent).toBe(hostile);
});
