import { readdirSync, readFileSync } from "node:fs";
import { VASTParser } from "@dailymotion/vast-client";
import { checkVast, inlineVast, PROTOCOL, scanXml, vastVersionFor } from "@millrace/openrtb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JSDOM } from "../testing/dom.ts";
import { EMPTY_VAST, trackedVast, type VastTracking } from "./vast-markup.ts";

const beacons = {
  impression: "https://ads.example.com/beacon/impression?t=k.a-_.b",
  click: "https://ads.example.com/beacon/click?t=k.a-_.c&to=https%3A%2F%2Fx.example%2F&s=1",
  loss: "https://ads.example.com/beacon/loss?t=k.a-_.d",
  player: "https://ads.example.com/beacon/player?t=k.a-_.e",
};
const video: VastTracking = { adId: "a1", beacons, isAudio: false };

const FOLDER = new URL("fixtures/vast/", import.meta.url);
const FIXTURES = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), "utf8")] as const);
const fixture = (name: string) => FIXTURES.find(([each]) => each === name)?.[1] ?? "";
const INLINE = fixture("inline-4.2.xml");

function tracked(adm: string, tracking = video): string {
  const made = trackedVast(adm, tracking);
  return made.ok ? made.xml : `refused: ${made.reason}`;
}

async function parsed(xml: string) {
  const { window } = new JSDOM("");
  const document = new window.DOMParser().parseFromString(xml, "text/xml");
  expect(document.querySelector("parsererror")).toBeNull();
  const parser = new VASTParser();
  return (await parser.parseVAST(document, { resolveAll: false })).ads[0];
}

test.each(FIXTURES)("%s is valid for its version, with and without our tracking", (_, text) => {
  expect(checkVast(text)).toEqual([]);
  expect(checkVast(tracked(text))).toEqual([]);
  expect(checkVast(tracked(text, { ...video, isAudio: true }))).toEqual([]);
});

test.each(FIXTURES)("%s keeps all of its own characters", (_, text) => {
  let at = 0;
  const made = tracked(text);
  for (const character of text.trim()) {
    const found = made.indexOf(character, at);
    expect(found).toBeGreaterThanOrEqual(at);
    at = found + 1;
  }
  const kept = /<!--.*?-->|<\?buyer.*?\?>|<!\[CDATA\[.*?\]\]>|<Extensions>.*?<\/Extensions>/gs;
  for (const [piece] of text.matchAll(kept)) expect(made).toContain(piece);
});

test("a player finds our impression, error, click and player events in addition to the bidder's", async () => {
  const ad = await parsed(tracked(INLINE));
  expect(ad?.impressionURLTemplates.map(({ url }: { url: string }) => url)).toEqual([
    beacons.impression,
    "https://buyer.example/i1",
    "https://buyer.example/i2",
  ]);
  expect(ad?.errorURLTemplates).toEqual([
    `${beacons.loss}&e=[ERRORCODE]`,
    "https://buyer.example/error?code=[ERRORCODE]",
  ]);
  const [linear] = ad?.creatives ?? [];
  expect(linear).toMatchObject({
    type: "linear",
    videoClickThroughURLTemplate: { url: "https://shop.example/" },
    videoClickTrackingURLTemplates: [{ url: beacons.click }, { id: "t", url: "https://buyer.example/click" }],
  });
  const events = linear?.trackingEvents as Record<string, string[]>;
  expect(events["start"]).toEqual([`${beacons.player}&e=start`, "https://buyer.example/start"]);
  for (const event of ["firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "mute", "skip"]) {
    expect(events[event]).toEqual([`${beacons.player}&e=${event}`]);
  }
});

test("VAST 2 has no skip event and no ids on a wrapper's impressions, so ours have none", () => {
  const made = tracked(fixture("wrapper-2.0.xml"));
  expect(made).toContain("&e=complete");
  expect(made).not.toContain("&e=skip");
  expect(made).not.toMatch(/<Impression id/);
});

test("if the version allows only one Error, the bidder's own stays", () => {
  expect(tracked(fixture("inline-3.0.xml")).match(/<Error>/g)).toHaveLength(1);
  expect(tracked(fixture("inline-2.0.xml")).match(/<Error>/g)).toHaveLength(1);
  expect(tracked(INLINE).match(/<Error>/g)).toHaveLength(2);
});

test.each(["inline-2.0.xml", "inline-3.0.xml"])("in %s an Error that names no address makes place for ours", (name) => {
  const text = fixture(name);
  for (const empty of ["<Error/>", "<Error></Error>", "<Error> <![CDATA[ ]]>\n</Error >"]) {
    const made = tracked(text.replace(/<Error>.*?<\/Error>/s, empty));
    expect(checkVast(made)).toEqual([]);
    expect(made.match(/<Error/g)).toHaveLength(1);
    expect(made).toContain(`<Error><![CDATA[${beacons.loss}&e=[ERRORCODE]]]></Error>`);
  }
});

test("a wrapper without creatives gets ours, with the events of the ad that it wraps", async () => {
  const made = tracked(fixture("wrapper-4.1.xml"));
  expect(made).toContain("https://next.example/vast");
  const ad = await parsed(made);
  const [linear] = ad?.creatives ?? [];
  expect(linear?.trackingEvents).toMatchObject({ complete: [`${beacons.player}&e=complete`] });
  expect(linear?.videoClickTrackingURLTemplates).toMatchObject([{ url: beacons.click }]);
});

test("an address becomes a valid wrapper", () => {
  const made = tracked("  https://b.example/vast?a=1&b=2]]\n");
  expect(checkVast(made)).toEqual([]);
  const { document } = new JSDOM(made, { contentType: "text/xml" }).window;
  expect(document.querySelector("VASTAdTagURI")?.textContent).toBe("https://b.example/vast?a=1&b=2]]");
  expect(made).toContain(`${beacons.player}&e=thirdQuartile`);
  expect(checkVast(tracked("https://b.example/vast", { ...video, isAudio: true }))).toEqual([]);
  expect(checkVast(EMPTY_VAST)).toEqual([]);
});

test.each([
  [{ protocols: [PROTOCOL.vast2, PROTOCOL.vast2Wrapper] }, "2.0"],
  [{ protocols: [PROTOCOL.vast3Wrapper, PROTOCOL.vast2Wrapper, PROTOCOL.vast42] }, "3.0"],
  [{ protocols: [PROTOCOL.vast4Wrapper] }, "4.0"],
  [{ protocols: [PROTOCOL.vast41Wrapper] }, "4.1"],
  [{ protocols: [PROTOCOL.vast42Wrapper, PROTOCOL.vast43Wrapper] }, "4.2"],
  // No wrapper is accepted, and an address needs one.
  [{ protocols: [PROTOCOL.vast2, PROTOCOL.vast3] }, "3.0"],
  [{ protocol: PROTOCOL.vast2 }, "2.0"],
  [{ protocols: [PROTOCOL.vast43Wrapper] }, "4.2"],
  [{ protocols: [] }, "4.2"],
  [undefined, "4.2"],
])("in a place with %j, an address becomes a valid wrapper of VAST %s", async (place, version) => {
  for (const isAudio of [false, true]) {
    const made = tracked("https://b.example/vast", { ...video, isAudio, place });
    expect(checkVast(made)).toEqual([]);
    expect(made).toContain(`<VAST version="${version}"`);
    const ad = await parsed(made);
    expect(ad?.impressionURLTemplates).toMatchObject([{ url: beacons.impression }]);
    expect(ad?.creatives[0]?.trackingEvents).toMatchObject({ complete: [`${beacons.player}&e=complete`] });
  }
});

test("an audio ad is marked as audio in versions with such a mark", () => {
  const audio = { ...video, isAudio: true };
  const made = tracked(INLINE.replace(' adType="video"', ""), audio);
  expect(made).toContain('<Ad adType="audio" id="four-two">');
  expect(tracked(made, audio).match(/adType/g)).toHaveLength(1);
  expect(tracked(fixture("inline-3.0.xml"), audio)).not.toContain("adType");
});

test("the encoding in a document's declaration is changed to UTF-8", () => {
  const latin = INLINE.replace('encoding="utf-8"', "encoding='ISO-8859-1'");
  expect(tracked(latin)).toMatch(/^<\?xml version="1.0" encoding="UTF-8" standalone="yes"\?>/);
  expect(tracked(INLINE)).toMatch(/^<\?xml version="1.0" encoding="utf-8" standalone="yes"\?>/);
});

test.each([
  ["nothing", "", "not_well_formed"],
  ["an empty VAST", EMPTY_VAST, "no_ad"],
  ["HTML", "<html><body>hello</body></html>", "not_vast"],
  ["VAST without a version", INLINE.replace('version="4.2"', ""), "unknown_version"],
  ["VAST of an unknown version", INLINE.replace('version="4.2"', 'version="5.0"'), "unknown_version"],
  ["a truncated document", INLINE.slice(0, -20), "not_well_formed"],
  ["a doctype", `<!DOCTYPE VAST>${INLINE.replace(/^<\?xml.*?\?>/, "")}`, "has_doctype"],
  [
    "entities that expand",
    `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><VAST version="3.0"><Ad><InLine>&b;</InLine></Ad></VAST>`,
    "has_doctype",
  ],
  [
    "an external entity",
    `<!doctype VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]><VAST version="3.0">&x;</VAST>`,
    "has_doctype",
  ],
  ["an undeclared entity", INLINE.replace("Sells things", "Sells&nbsp;things"), "not_well_formed"],
  ["a bare ampersand", INLINE.replace("Sells things", "This & that"), "not_well_formed"],
  ["an attribute twice", INLINE.replace('<Creative id="1">', '<Creative id="1" id="2">'), "not_well_formed"],
  ["two dashes in a comment", INLINE.replace("<InLine>", "<InLine><!-- a -- b -->"), "not_well_formed"],
  ["two roots", `${EMPTY_VAST}<VAST version="4.2"/>`, "not_well_formed"],
  ["a deep document", `<VAST version="4.2">${"<a>".repeat(200)}${"</a>".repeat(200)}</VAST>`, "too_deep"],
  ["a document with too many elements", `<VAST version="4.2">${"<a/>".repeat(30_000)}</VAST>`, "too_large"],
  ["a document of half a million characters", `<VAST version="4.2"><!--${" ".repeat(600_000)}--></VAST>`, "too_large"],
  ["a script address", "javascript:alert(1)", "not_well_formed"],
])("%s is refused with its reason", (_, adm, reason) => {
  expect(trackedVast(adm, video)).toEqual({ ok: false, reason });
});

test("markup that the scanner accepts is well-formed to a real parser", () => {
  const { window } = new JSDOM("");
  const pieces = fc.array(
    fc.constantFrom(
      ..."<a>|</a>|<b x='1'>|</b>|<c/>|<!-- <a> -->|<!-- -- -->|<![CDATA[</a>]]>|text|<?pi?>|<?xml version='1.0'?>".split(
        "|",
      ),
      ..." |<a|>|x='2'|<d y='1' y='2'/>|&amp;|&#65;|&b;|&|]]>|<é ü='ö'/>|<e z='&'/>|<?1?>".split("|"),
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = `<r>${parts.join("")}</r>`;
      if (!scanXml(text).ok) return;
      const document = new window.DOMParser().parseFromString(text, "text/xml");
      expect(document.querySelector("parsererror")).toBeNull();
    }),
    { numRuns: 3000 },
  );
});

test("scanning never throws", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("<", ">", "/", "!", "-", "[", "]", "a", " ", "=", '"', "?", "&", "CDATA[", "VAST"),
      }),
      (text) => {
        expect(trackedVast(text, video).ok).toBe(false);
      },
    ),
  );
});

const OWN_VIDEO = {
  creativeId: "00000000-0000-4000-8000-000000000001",
  title: "Tide & <friends>",
  advertiser: "shop.example",
  url: "https://ads.example.com/files/a.mp4",
  type: "video/mp4",
  size: 37_678,
  width: 320,
  height: 180,
  durationMs: 14_960,
  bitrateKbps: 75,
  clickUrl: "https://shop.example/?a=1&b=2",
};

test.each(["2.0", "3.0", "4.0", "4.1", "4.2"] as const)(
  "a video of our own is valid VAST %s once it is tracked",
  (version) => {
    const made = tracked(inlineVast(OWN_VIDEO, { version, adId: "a1", skipAfterSeconds: 5, expiresSeconds: 1500 }));
    expect(checkVast(made)).toEqual([]);
    expect(made.includes('skipoffset="00:00:05.000"')).toBe(version !== "2.0");
    expect(made.includes("<Expires>1500</Expires>")).toBe(version === "4.1" || version === "4.2");
  },
);

test("a player finds everything about a video of our own", async () => {
  const ad = await parsed(
    tracked(inlineVast(OWN_VIDEO, { version: "4.2", adId: "a1", skipAfterSeconds: 5, expiresSeconds: 1500 })),
  );
  const [creative] = ad?.creatives ?? [];
  expect(ad).toMatchObject({ title: OWN_VIDEO.title, system: { value: "Millrace" }, adServingId: "a1" });
  expect(creative).toMatchObject({ duration: 14.96, skipDelay: 5 });
  expect(creative?.universalAdIds).toMatchObject([{ idRegistry: "Millrace", value: OWN_VIDEO.creativeId }]);
  expect(creative?.videoClickThroughURLTemplate?.url).toBe(OWN_VIDEO.clickUrl);
  expect(creative?.mediaFiles).toMatchObject([
    { fileURL: OWN_VIDEO.url, mimeType: "video/mp4", width: 320, height: 180, bitrate: 75, fileSize: 37_678 },
  ]);
  const unskippable = await parsed(
    tracked(inlineVast(OWN_VIDEO, { version: "4.2", adId: "a1", skipAfterSeconds: null, expiresSeconds: 1500 })),
  );
  expect(unskippable?.creatives[0]?.skipDelay).toBeNull();
});

test.each([
  [{}, "4.2"],
  [{ protocols: [] }, "4.2"],
  [{ protocols: [PROTOCOL.vast2, PROTOCOL.vast3] }, "3.0"],
  [{ protocols: [PROTOCOL.vast42Wrapper, PROTOCOL.vast4] }, "4.0"],
  [{ protocol: PROTOCOL.vast2 }, "2.0"],
  [{ protocols: [PROTOCOL.vast3Wrapper, PROTOCOL.daast1] }, undefined],
])("a place with %j gets VAST %s", (place, version) => {
  expect(vastVersionFor(place)?.version).toBe(version);
});
