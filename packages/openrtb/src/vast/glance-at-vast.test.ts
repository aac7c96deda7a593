import { expect, test } from "vitest";
import { glanceAtVast } from "./glance-at-vast.ts";

const linear = (duration: string) =>
  `<Creatives><Creative><Linear><Duration>${duration}</Duration></Linear></Creative></Creatives>`;
const inline = (version: string, body = linear("00:00:15")) =>
  `<VAST version="${version}"><Ad id="1"><InLine><AdSystem>B</AdSystem>${body}</InLine></Ad></VAST>`;
const wrapper = (version: string) =>
  `<VAST version="${version}"><Ad><Wrapper><VASTAdTagURI>https://b.example</VASTAdTagURI></Wrapper></Ad></VAST>`;

test.each([
  ["2.0", 2],
  ["2.0.1", 2],
  ["3.0", 3],
  ["4", 4],
  [" 4.2 ", 4],
  ["4.3", 4],
])("a document of VAST %s has the major version %i, as a wrapper too", (version, major) => {
  expect(glanceAtVast(inline(version))).toEqual({ major, dur: 15 });
  expect(glanceAtVast(wrapper(version))).toEqual({ major });
});

test.each([
  ["00:00:30", 30],
  ["00:01:05.040", 65],
  ["00:00:14.960", 15],
  ["01:00:00", 3600],
  [" \n00:00:15 ", 15],
  ["<![CDATA[00:00:15]]>", 15],
  ["00:00:00", undefined],
  ["15", undefined],
  ["00:00:75", undefined],
  ["", undefined],
  [" ".repeat(100_000), undefined],
])("the duration %j has %s seconds", (duration, seconds) => {
  expect(glanceAtVast(inline("4.2", linear(duration)))?.dur).toBe(seconds);
});

test.each([
  ["a declaration and comments", `\uFEFF<?xml version="1.0"?>\n<!-- <VAST version="2.0"> -->\n${inline("3.0")}`],
  ["attributes", inline("3.0").replace("<VAST ", '<VAST xmlns:xsi="http://a.example"\n ')],
  ["single quotes", inline("3.0").replaceAll('"', "'")],
  ["a length in a comment", inline("3.0", `<!--${linear("00:01:00")}-->${linear("00:00:15")}`)],
  ["a length in CDATA", inline("3.0", `<Error><![CDATA[${linear("00:01:00")}]]></Error>${linear("00:00:15")}`)],
  ["a length outside of its linear creative", inline("3.0", `<Duration>00:01:00</Duration>${linear("00:00:15")}`)],
  ["a wrapper behind the first ad", inline("3.0").replace("</VAST>", `${wrapper("3.0")}</VAST>`)],
])("the first ad of a document with %s is read", (_, text) => {
  expect(glanceAtVast(text)).toEqual({ major: 3, dur: 15 });
});

test.each([
  ["no document", '<a href="https://shop.example"><VAST version="3.0">'],
  ["an address", "https://b.example/vast.xml"],
  ["a document without an ad", '<VAST version="4.2"></VAST>'],
  ["another root", inline("3.0").replaceAll("VAST", "DAAST")],
  ["an open comment", "<!-- <VAST"],
  ["an open comment before the ad", '<VAST version="3.0"><!-- <InLine>'],
  ["an unknown version without a length", inline("5.0", "")],
  ["nothing", ""],
])("%s says nothing", (_, text) => {
  expect(glanceAtVast(text)).toBeUndefined();
});

test("an ad without a linear creative has no length, and one of an unknown version has no version", () => {
  const overlay = "<Creatives><Creative><NonLinearAds></NonLinearAds></Creative></Creatives>";
  const another = inline("3.0").slice('<VAST version="3.0">'.length, -"</VAST>".length);
  expect(glanceAtVast(inline("3.0", overlay).replace("</VAST>", `${another}</VAST>`))).toEqual({ major: 3 });
  expect(glanceAtVast(inline("5.0"))).toEqual({ dur: 15 });
  expect(glanceAtVast(inline("3.0", "<!--"))).toEqual({ major: 3 });
});

test.each(["<!---->", "<![CDATA[]]>", "<Linear>", "<Duration>", " version", "\n", "<InLine "])(
  "markup that repeats %j without end is read no further than a document needs",
  (piece) => {
    const pieces = piece.repeat(2_000_000 / piece.length);
    for (const text of [`<VAST version="3.0">${pieces}`, `${pieces}${inline("3.0")}`, `<VAST ${pieces}>`])
      expect(glanceAtVast(text)?.dur).toBeUndefined();
  },
);
