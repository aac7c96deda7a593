import { expect, test } from "vitest";
import { JSDOM } from "../testing/dom.ts";
import { framedHtml } from "./html-markup.ts";
import { trackedNative } from "./native-markup.ts";

const beacons = {
  impression: "https://ads.example.com/beacon/impression?t=k.a-_.b",
  click: "https://ads.example.com/beacon/click?t=k.a-_.c&to=https%3A%2F%2Fx.example%2F&s=1",
  loss: "https://ads.example.com/beacon/loss?t=k.a-_.d",
  player: "https://ads.example.com/beacon/player?t=k.a-_.e",
};
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
