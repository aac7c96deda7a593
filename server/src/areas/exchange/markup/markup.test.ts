import { VASTParser } from "@dailymotion/vast-client";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JSDOM } from "../testing/dom.ts";
import { framedHtml } from "./html-markup.ts";
import { trackedNative } from "./native-markup.ts";
import { scanXml } from "./scan-xml.ts";
import { EMPTY_VAST, trackedVast } from "./vast-markup.ts";

const beacons = {
  impression: "https://ads.example.com/beacon/impression?t=k.a-_.b",
  click: "https://ads.example.com/beacon/click?t=k.a-_.c&to=https%3A%2F%2Fx.example%2F&s=1",
  loss: "https://ads.example.com/beacon/loss?t=k.a-_.d",
};
const video = { adId: "a1", beacons, isAudio: false };

const inline = (linear: string, more = "") => `<?xml version="1.0"?>
<VAST version="4.2"><Ad id="x" sequence="1"><InLine><AdSystem>B</AdSystem><AdTitle>T</AdTitle>${more}
<Impression><![CDATA[https://b.example/i]]></Impression><Creatives><Creative>${linear}</Creative></Creatives></InLine></Ad></VAST>`;
const LINEAR = `<Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[https://b.example/v.mp4]]></MediaFile></MediaFiles>`;

async function parsed(xml: string) {
  const { window } = new JSDOM("");
  const document = new window.DOMParser().parseFromString(xml, "text/xml");
  expect(document.querySelector("parsererror")).toBeNull();
  const parser = new VASTParser();
  return (await parser.parseVAST(document, { resolveAll: false })).ads[0];
}

test.each([
  ["without clicks", `${LINEAR}</Linear>`],
  [
    "with clicks",
    `${LINEAR}<VideoClicks><ClickThrough><![CDATA[https://b.example/c]]></ClickThrough></VideoClicks></Linear>`,
  ],
  ["with an empty tag", `${LINEAR}<VideoClicks/></Linear>`],
])("a bidder's inline VAST %s gets our beacons beside its own", async (_, linear) => {
  const ad = await parsed(trackedVast(inline(linear), video) ?? "");
  expect(ad?.impressionURLTemplates.map((template: { url: string }) => template.url)).toEqual([
    beacons.impression,
    "https://b.example/i",
  ]);
  expect(ad?.errorURLTemplates).toEqual([`${beacons.loss}&e=[ERRORCODE]`]);
  expect(ad?.creatives[0]).toMatchObject({
    type: "linear",
    duration: 15,
    videoClickTrackingURLTemplates: [{ id: "millrace", url: beacons.click }],
  });
});

test("tags in comments and character data are left alone", async () => {
  const trap = "<!-- <Impression></Impression><Linear> --><Description><![CDATA[</InLine><Creatives>]]></Description>";
  const ad = await parsed(trackedVast(inline(`${LINEAR}</Linear>`, trap), video) ?? "");
  expect(ad?.impressionURLTemplates).toHaveLength(2);
  expect(ad?.description).toBe("</InLine><Creatives>");
});

test("a bidder's wrapper keeps its address, a bare address gets a wrapper", async () => {
  const wrapper = `<VAST version="3.0"><Ad id="1"><Wrapper><AdSystem>B</AdSystem><VASTAdTagURI><![CDATA[https://b.example/next]]></VASTAdTagURI><Impression>https://b.example/i</Impression></Wrapper></Ad></VAST>`;
  const made = trackedVast(wrapper, video) ?? "";
  expect(made).toContain("https://b.example/next");
  expect(made.indexOf(beacons.impression)).toBeGreaterThan(0);
  const url = "https://b.example/vast?a=1&b=]]>";
  const own = trackedVast("  https://b.example/vast?a=1&b=2\n", video) ?? "";
  expect(new JSDOM(own, { contentType: "text/xml" }).window.document.querySelector("VASTAdTagURI")?.textContent).toBe(
    "https://b.example/vast?a=1&b=2",
  );
  expect(trackedVast(url, video)).toBeNull();
});

test("an audio ad is marked as one", () => {
  const made = trackedVast(inline(`${LINEAR}</Linear>`), { ...video, isAudio: true }) ?? "";
  expect(new JSDOM(made, { contentType: "text/xml" }).window.document.querySelector("Ad")?.getAttribute("adType")).toBe(
    "audio",
  );
  expect(trackedVast(made, { ...video, isAudio: true })?.match(/adType/g)).toHaveLength(1);
});

test.each([
  ["nothing", ""],
  ["an empty VAST", EMPTY_VAST],
  ["HTML", "<html><body>hello</body></html>"],
  ["a document cut short", inline(`${LINEAR}</Linear>`).slice(0, -20)],
  ["a declared entity", `<!DOCTYPE VAST [<!ENTITY a "b">]>${inline(`${LINEAR}</Linear>`)}`],
  ["two roots", `${EMPTY_VAST}${inline(`${LINEAR}</Linear>`)}`],
  ["a script address", "javascript:alert(1)"],
])("%s is no VAST to show", (_, adm) => {
  expect(trackedVast(adm, video)).toBeNull();
});

test("what the scanner takes for well-formed, a real parser does too", () => {
  const { window } = new JSDOM("");
  const pieces = fc.array(
    fc.constantFrom(
      "<a>",
      "</a>",
      "<b x='1'>",
      "</b>",
      "<c/>",
      "<!-- <a> -->",
      "<![CDATA[</a>]]>",
      "text",
      "<?pi?>",
      " ",
      "<a",
      ">",
      "x='2'",
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = `<r>${parts.join("")}</r>`;
      if (scanXml(text) === null) return;
      const document = new window.DOMParser().parseFromString(text, "text/xml");
      expect(document.querySelector("parsererror")).toBeNull();
    }),
    { numRuns: 3000 },
  );
});

test("any text at all is scanned without a throw", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("<", ">", "/", "!", "-", "[", "]", "a", " ", "=", '"', "?", "CDATA[", "VAST"),
      }),
      (text) => {
        expect(trackedVast(text, video)).toBeNull();
      },
    ),
  );
});

test("deep and endless documents are refused, not followed", () => {
  expect(scanXml("<a>".repeat(200) + "</a>".repeat(200))).toBeNull();
  expect(scanXml(`<r>${"<a/>".repeat(30_000)}</r>`)).toBeNull();
});

test("hostile HTML stays inside its frame", () => {
  const hostile = [
    `"></iframe><script>parent.stolen=1</script>`,
    `</script><script>top.location="https://evil.example"</script>`,
    `<!--`,
    `<plaintext>`,
    `' onload='alert(1)`,
    `</style></head></html>`,
  ];
  for (const adm of hostile) {
    const { document } = new JSDOM(`<body>${framedHtml(adm, { w: 320, h: 50 }, beacons)}</body>`).window;
    expect([...document.body.children].map(({ tagName }) => tagName)).toEqual(["IFRAME", "IMG"]);
    const frame = document.querySelector("iframe");
    expect(frame?.getAttribute("srcdoc")).toContain(adm);
    expect(frame?.getAttribute("sandbox")).not.toContain("same-origin");
    expect(document.querySelector("img")?.getAttribute("src")).toBe(beacons.impression);
  }
});

test("a click on a link inside is told once, any other not at all", () => {
  const html = framedHtml(
    `<p>no link</p><a href="https://shop.example/"><b>buy</b></a>`,
    { w: null, h: null },
    beacons,
  );
  const inner = new JSDOM(html).window.document.querySelector("iframe")?.getAttribute("srcdoc") ?? "";
  const { window } = new JSDOM("", { runScripts: "outside-only" });
  const told: string[] = [];
  Object.defineProperty(window, "Image", {
    value: class {
      set src(url: string) {
        told.push(url);
      }
    },
  });
  window.eval(new JSDOM(inner).window.document.querySelector("script")?.textContent ?? "");
  window.document.body.innerHTML = new JSDOM(inner).window.document.body.innerHTML;
  window.document.querySelector("p")?.click();
  expect(told).toEqual([]);
  window.document.querySelector("b")?.click();
  window.document.querySelector("b")?.click();
  expect(told).toEqual([beacons.click]);
});

const native = {
  ver: "1.2",
  assets: [{ id: 1, title: { text: "Hello" } }],
  link: { url: "https://shop.example/", clicktrackers: ["https://b.example/c"] },
  eventtrackers: [{ event: 1, method: 1, url: "https://b.example/i" }],
};
const nativeImp = {
  id: "1",
  native: { request: JSON.stringify({ ver: "1.2", assets: [{ id: 1, required: 1, title: { len: 30 } }] }) },
};

test("a native answer gets our trackers beside its own, in the list of its version", () => {
  const made = trackedNative(JSON.stringify(native), nativeImp, beacons);
  expect(made?.url).toBe("https://shop.example/");
  expect(JSON.parse(made?.json ?? "")).toEqual({
    ...native,
    link: { ...native.link, clicktrackers: ["https://b.example/c", beacons.click] },
    eventtrackers: [...native.eventtrackers, { event: 1, method: 1, url: beacons.impression }],
  });
  const older = trackedNative(
    JSON.stringify({ native: { ...native, ver: "1.1", eventtrackers: undefined } }),
    nativeImp,
    beacons,
  );
  expect(JSON.parse(older?.json ?? "")).toMatchObject({ imptrackers: [beacons.impression] });
});

test("a native answer that cannot be shown is none", () => {
  expect(trackedNative("no json", nativeImp, beacons)).toBeNull();
  expect(trackedNative(JSON.stringify({ ...native, assets: [] }), nativeImp, beacons)).toBeNull();
  expect(
    trackedNative(JSON.stringify({ ...native, link: { url: "javascript:alert(1)" } }), nativeImp, beacons),
  ).toBeNull();
});
