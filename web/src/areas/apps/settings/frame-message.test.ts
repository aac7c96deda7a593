import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readFrameMessage } from "./frame-message.ts";

const HERE = "https://millrace.test";
const read = (data: unknown) => readFrameMessage(data, HERE);

test("a part of the instructions becomes the page's hash", () => {
  expect(read({ type: "hash", hash: "#android" })).toEqual({ kind: "hash", hash: "#android" });
});

test("one of our pages is opened here, an https address elsewhere", () => {
  expect(read({ type: "redirect", url: `${HERE}/apps/app-ads` })).toEqual({ kind: "page", path: "/apps/app-ads" });
  expect(read({ type: "redirect", url: "/apps?p=1#x" })).toEqual({ kind: "page", path: "/apps?p=1#x" });
  expect(read({ type: "redirect", url: "https://login.example.com/oauth?a=1" })).toEqual({
    kind: "leave",
    url: "https://login.example.com/oauth?a=1",
  });
});

test("a page of the help is none of the dashboard's", () => {
  const url = `${HERE}/help/api/exchange#beacons`;
  expect(read({ type: "redirect", url })).toEqual({ kind: "leave", url });
});

test.each([
  ["script", { type: "redirect", url: "javascript:alert(1)" }],
  ["plain http", { type: "redirect", url: "http://login.example.com/" }],
  ["data", { type: "redirect", url: "data:text/html,x" }],
  ["a name before the host", { type: "redirect", url: "https://millrace.test@evil.example/" }],
  ["two slashes in a path of ours", { type: "redirect", url: `${HERE}//evil.example` }],
  ["no address", { type: "redirect", url: "https://" }],
  ["an address without end", { type: "redirect", url: `https://x.test/${"a".repeat(3000)}` }],
  ["a hash that is none", { type: "hash", hash: "#<img>" }],
  ["a field too many", { type: "hash", hash: "#a", url: "/apps" }],
  ["another kind", { type: "resize", width: 5 }],
  ["a text", "hash"],
  ["nothing", null],
])("%s is ignored", (_, data) => {
  expect(read(data)).toBeNull();
});

test("any message leads only to our own paths or to https", () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({ type: fc.constantFrom("hash", "redirect"), hash: fc.string(), url: fc.string() }),
    fc.record({ type: fc.constant("redirect"), url: fc.oneof(fc.webUrl(), fc.string(), fc.webPath()) }),
  );
  fc.assert(
    fc.property(anything, (data) => {
      const wish = read(data);
      const leads = wish?.kind === "leave" ? wish.url : wish?.kind === "page" ? wish.path : HERE;
      const { origin, protocol } = new URL(leads, HERE);
      expect(protocol).toBe("https:");
      expect(wish?.kind === "page" ? origin : HERE).toBe(HERE);
      expect(wish?.kind === "hash" ? wish.hash : "#").toMatch(/^#[\w-]*$/);
    }),
  );
});
