import { expect, test } from "vitest";
import { watchSecondsOf } from "./watch-seconds.ts";

const vast = (linear: string) =>
  `<VAST version="4.2"><Ad id="1"><InLine><Creatives><Creative><Linear>${linear}</Linear></Creative></Creatives></InLine></Ad></VAST>`;

test.each([
  ["<Duration>00:00:15</Duration>", 15],
  ["<Duration>\n  00:00:15.000\n</Duration>", 15],
  ["<Duration >00:00:15</Duration >", 15],
  ["<Duration><![CDATA[00:00:15]]></Duration>", 15],
  ["<Duration> <![CDATA[ 00:00:15 ]]> </Duration>", 15],
  ["<!-- <Duration>00:00:06</Duration> --><Duration>00:00:15</Duration>", 15],
  ["<Duration>00:00:02</Duration>", 5],
  ["<Duration>01:00:00</Duration>", 60],
  ["<Duration>soon</Duration>", 5],
  ["", 5],
])("a video with %s has to be watched for %d seconds", (linear, seconds) => {
  expect(watchSecondsOf(vast(linear), 60)).toBe(seconds);
});

test("the length of a wrapper's ad is unknown, so that the least applies", () => {
  const linear = "<Creatives><Creative><Linear><Duration>00:00:15</Duration></Linear></Creative></Creatives>";
  expect(watchSecondsOf(`<VAST version="4.2"><Ad><Wrapper>${linear}</Wrapper></Ad></VAST>`, 60)).toBe(5);
});
