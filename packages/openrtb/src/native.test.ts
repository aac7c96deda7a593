import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { NativeRequest } from "./native.ts";
import { nameNativeAssets, parseNativeRequest, parseNativeResponse } from "./parse-native.ts";
import { missingAssets, readNative } from "./read-native.ts";
import { renderNativeHtml } from "./render-native.ts";

const request: NativeRequest = {
  ver: "1.2",
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 250 } },
    { id: 3, img: { type: 1, w: 50, h: 50 } },
    { id: 4, data: { type: 12 } },
  ],
  eventtrackers: [{ event: 1, methods: [1, 2] }],
};
const answer = {
  assets: [
    { id: 1, title: { text: 'Play <b>"now"</b>', len: null } },
    { id: 2, img: { url: "https://cdn.example.com/main.png", w: 300, h: 250 } },
    { id: 3, img: { url: "https://cdn.example.com/icon.png" } },
    { id: 4, data: { value: "Install" } },
  ],
  link: { url: "https://shop.example.com/?a=1&b=2", clicktrackers: ["https://t.example.com/c"] },
  imptrackers: ["https://t.example.com/i"],
  eventtrackers: [
    { event: 1, method: 1, url: "https://t.example.com/e" },
    { event: 1, method: 2, url: "https://t.example.com/e.js" },
    { event: 2, method: 1, url: "https://t.example.com/v" },
  ],
  privacy: null,
};

function parsed(value: unknown): ReturnType<typeof readNative> {
  const response = parseNativeResponse(value);
  if (!response.ok) throw new Error(response.error.message);
  return readNative(response.value, request);
}

test("a response's assets are read by the types in the request, wrapped or not, as text or object", () => {
  const ad = parsed(JSON.stringify(answer));
  expect(ad).toEqual({
    title: 'Play <b>"now"</b>',
    image: { url: "https://cdn.example.com/main.png", w: 300, h: 250 },
    icon: { url: "https://cdn.example.com/icon.png" },
    callToAction: "Install",
    link: answer.link,
    impressionImages: ["https://t.example.com/i", "https://t.example.com/e"],
    impressionScripts: ["https://t.example.com/e.js"],
    viewableImages: ["https://t.example.com/v"],
  });
  expect(parsed({ native: answer })).toEqual(ad);
});

test("nulls are removed at any depth, except in free-form parts", () => {
  const value = {
    link: { url: "https://x.example.com", fallback: null, ext: { a: null } },
    assets: [{ id: 1, img: { url: "u", w: null } }],
  };
  const clean = { link: { url: "https://x.example.com", ext: { a: null } }, assets: [{ id: 1, img: { url: "u" } }] };
  expect(parseNativeResponse(value)).toEqual({ ok: true, value: clean });
  expect(JSON.stringify(parseNativeResponse(value))).toBe(JSON.stringify({ ok: true, value: clean }));
});

test("required assets that are missing are named", () => {
  const response = parseNativeResponse({ ...answer, assets: answer.assets.slice(1) });
  expect(response.ok && missingAssets(request, response.value)).toEqual([1]);
});

test("the time to read assets grows linearly with their number", () => {
  const many = Array.from({ length: 100_000 }, (_, id) => ({ id, required: 1, img: {} }));
  const from = process.cpuUsage();
  expect(parseNativeRequest(JSON.stringify({ assets: many })).ok).toBe(true);
  expect(parseNativeRequest(JSON.stringify({ assets: [...many, { id: 7, img: {} }] }))).toMatchObject({
    error: { path: "assets[100000].id" },
  });
  const answers = many.map(({ id }) => ({ id: 200_000 + id, img: { url: "u" } }));
  expect(missingAssets({ assets: many }, { link: { url: "" }, assets: answers })).toHaveLength(100_000);
  // CPU seconds of this process, so that a busy machine does not matter; quadratic time would take 8.
  expect(process.cpuUsage(from).user / 1e6).toBeLessThan(4);
});

test("the card escapes texts and drops script addresses", () => {
  const html = renderNativeHtml(parsed(answer), "https://ads.example.com/click?x=1&y=2");
  expect(html).toContain('href="https://ads.example.com/click?x=1&amp;y=2"');
  expect(html).toContain("Play &lt;b&gt;&quot;now&quot;&lt;/b&gt;");
  expect(html).not.toContain("<b>");
  const hostile = parsed({ ...answer, imptrackers: ['https://t.example.com/"><script>', "javascript:alert(1)"] });
  expect(renderNativeHtml(hostile)).not.toMatch(/script|javascript/);
  expect(renderNativeHtml(parsed({ ...answer, link: { url: "javascript:alert(1)" } }))).toBe("");
});

const ICON = [{ id: 1, img: { type: 1 } }];
const VIDEO = { mimes: ["video/mp4"], minduration: 5, maxduration: 30, protocols: [2, 3, 7] };

test.each([
  { context: 3, contextsubtype: 31, plcmttype: 4, assets: ICON },
  { context: 500, contextsubtype: 21, plcmttype: 500, assets: ICON },
  { context: 1, contextsubtype: 600, assets: [{ id: 1, video: VIDEO }] },
  { assets: [{ id: 1, data: { type: 500 } }], eventtrackers: [{ event: 555, methods: [501] }] },
])("the native request %j is valid", (value) => {
  expect(parseNativeRequest(value)).toEqual({ ok: true, value });
});

test("assets without ids are numbered from 0, also in the imp, and an imp whose assets have ids stays the same object", () => {
  const bare = { ver: "1.2", assets: [{ title: { len: 90 } }, { img: { type: 3 } }] };
  const named = {
    ver: "1.2",
    assets: [
      { title: { len: 90 }, id: 0 },
      { img: { type: 3 }, id: 1 },
    ],
  };
  expect(parseNativeRequest(bare)).toEqual({ ok: true, value: named });
  const imp = { id: "1", native: { request: JSON.stringify({ native: bare }), ver: "1.2" } };
  const { native } = nameNativeAssets(imp);
  expect(JSON.parse(native.request)).toEqual(named);
  expect(nameNativeAssets({ id: "1", native })).toEqual({ id: "1", native });
  const complete = { id: "1", native: { request: JSON.stringify(named) } };
  expect(nameNativeAssets(complete)).toBe(complete);
});

test("a null in a native request counts as an absent field", () => {
  const bare = { ver: "1.2", context: null, assets: [{ id: null, title: { len: 90 }, img: null, data: null }] };
  const value = { ver: "1.2", assets: [{ id: 0, title: { len: 90 } }] };
  expect(parseNativeRequest(bare)).toEqual({ ok: true, value });
  const { native } = nameNativeAssets({ id: "1", native: { request: JSON.stringify(bare) } });
  expect(JSON.parse(native.request)).toEqual(value);
});

test.each([
  ["nothing", "must be a native object as JSON text"],
  [{ assets: [] }, "native: assets must not be empty"],
  [
    { assets: [{ id: 1, title: { len: 1 }, img: {} }] },
    "native: assets[0] must have exactly one of title, img, video, data",
  ],
  [{ assets: [{ id: 1, data: {} }] }, "native: assets[0].data.type is required"],
  [
    {
      assets: [
        { id: 1, img: {} },
        { id: 1, img: {} },
      ],
    },
    "native: assets[1].id must be unique in the request",
  ],
  [
    { assets: [{ id: 1, img: {} }, { title: { len: 90 } }] },
    "native: assets[1].id is required where other assets have one",
  ],
  [
    { assets: [{ img: {} }, { id: 0, title: { len: 90 } }] },
    "native: assets[0].id is required where other assets have one",
  ],
  [{ assets: [{ id: 1, data: { type: 13 } }] }, "native: assets[0].data.type must be from 1 to 12, or 500 or above"],
  [{ assets: [{ id: 1, data: { type: 0 } }] }, "native: assets[0].data.type must be from 1 to 12, or 500 or above"],
  [{ assets: [{ id: 1, img: { type: 4 } }] }, "native: assets[0].img.type must be from 1 to 3, or 500 or above"],
  [{ assets: [{ id: 1, video: { ...VIDEO, protocols: [] } }] }, "native: assets[0].video.protocols must not be empty"],
  [
    { assets: [{ id: 1, video: { ...VIDEO, protocols: [2, 17] } }] },
    "native: assets[0].video.protocols[1] must be from 1 to 16, or 500 or above",
  ],
  [
    { assets: [{ id: 1, video: { ...VIDEO, minduration: 0 } }] },
    "native: assets[0].video.minduration must be a positive integer",
  ],
  [
    { assets: [{ id: 1, video: { ...VIDEO, maxduration: 4 } }] },
    "native: assets[0].video.maxduration must not be less than minduration",
  ],
  [{ context: 4, assets: ICON }, "native: context must be from 1 to 3, or 500 or above"],
  [{ context: 1, contextsubtype: 21, assets: ICON }, "native: contextsubtype must be one of context 1: 10 to 15"],
  [{ context: 2, contextsubtype: 30, assets: ICON }, "native: contextsubtype must be one of context 2: 20 to 22"],
  [{ contextsubtype: 9, assets: ICON }, "native: contextsubtype must be from 10 to 32, or 500 or above"],
  [{ plcmttype: 5, assets: ICON }, "native: plcmttype must be from 1 to 4, or 500 or above"],
  [
    { assets: ICON, eventtrackers: [{ event: 5, methods: [1] }] },
    "native: eventtrackers[0].event must be from 1 to 4, or 500 or above",
  ],
  [
    { assets: ICON, eventtrackers: [{ event: 1, methods: [1, 3] }] },
    "native: eventtrackers[0].methods[1] must be from 1 to 2, or 500 or above",
  ],
  [{ assets: ICON, eventtrackers: [{ event: 1, methods: [] }] }, "native: eventtrackers[0].methods must not be empty"],
])("the native request %j is refused", (value, message) => {
  const verdict = parseNativeRequest(value);
  expect(verdict.ok ? null : verdict.error.message).toBe(message);
});

test("parsing, reading and rendering never throw", () => {
  const near = fc.record({
    link: fc.record({ url: fc.string() }),
    assets: fc.array(fc.jsonValue()),
    imptrackers: fc.array(fc.webUrl()),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.string(), near), (value) => {
      const response = parseNativeResponse(value);
      const html = response.ok ? renderNativeHtml(readNative(response.value)) : response.error.message;
      expect(html).not.toContain("<script");
    }),
  );
});
