// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import type { Ad } from "@millrace/contract";
import type { AdInfo, Failure } from "@millrace/sdk/core";
import { APP, initReply, ad, adReply } from "@millrace/sdk/testing/protocol-replies";
import { protocolServer, type Received } from "@millrace/sdk/testing/protocol-server";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMillrace, type Millrace } from "./create-millrace.ts";
import { asyncStorage, nativeDouble } from "./testing/open-native.ts";

const AWAITED = { timeout: 30_000 };
let server: Awaited<ReturnType<typeof protocolServer>>;
let device: ReturnType<typeof nativeDouble>;
let stored: ReturnType<typeof asyncStorage>;
let millrace: Millrace;
/** Answers to ad requests wait for it. */
let gate: Promise<void>;

beforeEach(async () => {
  gate = Promise.resolve();
  server = await protocolServer(async ({ path, body }: Received) => {
    if (path === "/sdk/v1/init") return { json: initReply() };
    if (path !== "/sdk/v1/ad") return { status: 204 };
    await gate;
    const { format } = body as { format: "banner" | "native" };
    const native = { link: { url: "https://shop.example/" }, assets: [{ id: 1, title: { text: "Tide tables" } }] };
    const markup: Ad["markup"] =
      format === "native"
        ? { type: "native", content: JSON.stringify(native) }
        : { type: "html", content: "<b>ad</b><script>1</script>" };
    return { json: adReply([ad(server.endpoint, "alpha", { markup })]) };
  });
  stored = asyncStorage();
  device = nativeDouble(stored);
  millrace = createMillrace(device.modules);
});
afterEach(async () => {
  cleanup();
  millrace.shutdown();
  await server.close();
});

const start = () => millrace.initialize({ app: APP, endpoint: server.endpoint, logLevel: "none" });
const asked = () => server.of("/sdk/v1/ad").map(({ body }) => (body as { zone: string }).zone);
const beacons = () => server.of("/b/").map(({ path }) => path);
const loadedViews = (count: number) => waitFor(() => expect(device.webViews).toHaveLength(count), AWAITED);

test("the device is described by React Native, and the installation outlives the app", async () => {
  expect(await start()).toMatchObject({ ok: true });
  millrace.shutdown();
  const again = createMillrace(nativeDouble(stored).modules);
  await again.initialize({ app: APP, endpoint: server.endpoint });
  again.shutdown();
  const [first] = server.of("/sdk/v1/init").map(({ body }) => body as Record<string, unknown>);
  expect(first).toMatchObject({
    platform: "android",
    device: { os: "android", osv: "15", w: 1080, h: 2400, pxratio: 2.625 },
  });
  // The second start goes on with the session of the first.
  expect(server.of("/sdk/v1/init")).toHaveLength(1);
  expect([...stored.entries.values()]).toContain(first?.["install_id"]);
});

test("a beacon is on the device before it leaves it", async () => {
  const order: string[] = [];
  let isSlow = true;
  const { setItem } = stored;
  stored.setItem = async (key, value) => {
    if (isSlow && value.includes("/b/imp/")) await new Promise((resolve) => setTimeout(resolve, 100));
    await setItem(key, value);
    if (value.includes("/b/imp/")) order.push("stored");
  };
  await start();
  render(<millrace.Banner zone="home" />);
  await loadedViews(1);
  act(() => device.say({ type: "started" }));
  await waitFor(() => expect(beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  isSlow = false;
  expect(order).toEqual(["stored"]);
});

test("storage that fails is like none", async () => {
  const broken = async () => Promise.reject(new Error("disk full"));
  const failing = { getAllKeys: broken, getItem: broken, setItem: broken, removeItem: broken };
  const other = createMillrace(nativeDouble(failing).modules);
  expect(await other.initialize({ app: APP, endpoint: server.endpoint })).toMatchObject({ ok: true });
  other.shutdown();
});

test("in strict mode, too, a banner asks for one ad, which is invisible until it starts, and is gone at its unmount", async () => {
  await start();
  const onDisplayed = vi.fn<(ad: AdInfo) => void>();
  const { container, unmount } = render(
    <StrictMode>
      <millrace.Banner zone="home" onDisplayed={onDisplayed} />
    </StrictMode>,
  );
  await loadedViews(1);
  const layer = () => screen.getByText(/page of/).parentElement;
  expect([layer()?.style.opacity, layer()?.dataset["events"]]).toEqual(["0", "none"]);
  expect(beacons()).toEqual([]);
  act(() => device.say({ type: "started" }));
  expect([layer()?.style.opacity, layer()?.dataset["events"]]).toEqual(["1", "auto"]);
  await waitFor(() => expect(beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  await waitFor(() => expect(onDisplayed).toHaveBeenCalledOnce(), AWAITED);
  expect(asked()).toEqual(["home"]);
  unmount();
  expect(container.textContent).toBe("");
});

test("a banner whose app comes back shows its next ad if that is overdue, and asks for none in the background", async () => {
  await start();
  device.moveTo("background");
  render(<millrace.Banner zone="home" />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked()).toEqual([]);
  device.moveTo("active");
  await waitFor(() => expect(asked()).toEqual(["home"]), AWAITED);
});

test("a banner's ad that comes after the app has gone to the background waits, uncounted, until the app is back", async () => {
  await start();
  let arrive: () => void = () => {};
  gate = new Promise((resolve) => (arrive = resolve));
  const loaded = new Promise((resolve) => millrace.addListener("loaded", resolve));
  render(<millrace.Banner zone="home" />);
  await waitFor(() => expect(asked()).toEqual(["home"]), AWAITED);
  device.moveTo("background");
  arrive();
  await loaded;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(device.webViews).toEqual([]);
  act(() => device.moveTo("active"));
  await loadedViews(1);
  expect(asked()).toEqual(["home"]);
});

test("a banner below a full-screen ad asks for nothing, and for what is overdue once the screen is free", async () => {
  await start();
  render(<millrace.AdScreen />);
  await millrace.loadAd({ zone: "level_end", format: "interstitial" });
  const showing = millrace.showAd("level_end");
  await loadedViews(1);
  act(() => device.say({ type: "started" }));
  render(<millrace.Banner zone="home" />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked()).toEqual(["level_end"]);
  act(() => device.say({ type: "hidden" }));
  await showing;
  await waitFor(() => expect(asked()).toEqual(["level_end", "home"]), AWAITED);
});

function Level() {
  const rewarded = millrace.useRewarded("extra_life");
  const show = async () => {
    const shown = await rewarded.show();
    if (shown.ok) document.title = `${shown.reward?.amount ?? 0} ${shown.reward?.name ?? ""}`;
  };
  return (
    <>
      <button onClick={() => void show()}>{rewarded.status}</button>
      <millrace.AdScreen />
    </>
  );
}

test("a full-screen ad is on the app's screen, keeps the back key, and gives its reward when it is closed", async () => {
  await start();
  const { container } = render(<Level />);
  await waitFor(() => screen.getByText("ready"), AWAITED);
  screen.getByText("ready").click();
  await loadedViews(1);
  expect(device.backHandlers.size).toBe(0);
  act(() => device.say({ type: "started" }));
  expect([...device.backHandlers].map((handler) => handler())).toEqual([true]);
  // An ad's frame does not know the nonce of its page.
  act(() => device.say({ nonce: "guessed", type: "hidden" }));
  expect(screen.getByText("showing")).toBeTruthy();
  act(() => device.say({ type: "open", url: "javascript:alert(1)" }));
  act(() => device.say({ type: "open", url: "https://shop.example/" }));
  expect(device.opened).toEqual(["https://shop.example/"]);
  act(() => {
    device.say({ type: "rewarded" });
    device.say({ type: "hidden" });
  });
  await waitFor(() => screen.getByText("closed"), AWAITED);
  expect(container.textContent).toBe("closed");
  expect(device.backHandlers.size).toBe(0);
});

test("a full-screen ad has the window's size, also if the app passes on none, as undefined", async () => {
  await start();
  await millrace.loadAd({ zone: "level_end", format: "interstitial", w: undefined, h: undefined });
  await millrace.loadAd({ zone: "next_level", format: "interstitial", w: 300, h: 250 });
  expect(server.of("/sdk/v1/ad").map(({ body }) => body)).toMatchObject([
    { w: 411, h: 914 },
    { w: 300, h: 250 },
  ]);
});

test("without a mounted AdScreen an ad cannot be shown, and a crashed web view ends it", async () => {
  await start();
  await millrace.loadAd({ zone: "level_end", format: "interstitial" });
  expect(await millrace.showAd("level_end")).toMatchObject({ ok: false, code: "render" });

  render(<millrace.AdScreen />);
  await millrace.loadAd({ zone: "level_end", format: "interstitial" });
  const showing = millrace.showAd("level_end");
  await loadedViews(1);
  act(() => device.webViews[0]?.onError());
  expect(await showing).toMatchObject({ ok: false, code: "render" });
});

test("an AdScreen that is unmounted ends its ad, so that another can take the screen", async () => {
  await start();
  const first = render(<millrace.AdScreen />);
  await millrace.loadAd({ zone: "level_end", format: "interstitial" });
  const showing = millrace.showAd("level_end");
  await loadedViews(1);
  act(() => device.say({ type: "started" }));
  first.unmount();
  expect(await showing).toMatchObject({ ok: true });

  render(<millrace.AdScreen />);
  await millrace.loadAd({ zone: "next_level", format: "interstitial" });
  const next = millrace.showAd("next_level");
  await loadedViews(2);
  act(() => {
    device.say({ type: "started" });
    device.say({ type: "hidden" });
  });
  expect(await next).toMatchObject({ ok: true, zone: "next_level" });
});

test("components wait for a start that still reads what the device has stored", async () => {
  const { getAllKeys } = stored;
  stored.getAllKeys = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return getAllKeys();
  };
  const onFailed = vi.fn<(failure: Failure) => void>();
  void start();
  function Page() {
    const ad = millrace.useNative("feed");
    if (ad.status === "failed") onFailed(ad.failure);
    return <millrace.Banner zone="home" onFailed={onFailed} />;
  }
  render(<Page />);
  await waitFor(() => expect(asked().toSorted()).toEqual(["feed", "home"]), AWAITED);
  expect(onFailed).not.toHaveBeenCalled();
});

test("an ad's page stays itself, and cannot end its own script", async () => {
  await start();
  render(<millrace.Banner zone="home" />);
  await loadedViews(1);
  const [view] = device.webViews;
  const may = (url: string, isTopFrame = true) => view?.onShouldStartLoadWithRequest({ url, isTopFrame });
  expect([
    may(server.endpoint),
    may("about:blank"),
    may("https://shop.example/"),
    may("https://shop.example/", false),
  ]).toEqual([true, true, false, true]);
  expect(view?.source.html.match(/<\/script>/g)).toHaveLength(1);
});

test("a native ad is drawn by the app's own views, and a press counts and opens the advertiser's page", async () => {
  await start();
  function Feed() {
    const ad = millrace.useNative("feed");
    if (ad.status !== "showing") return <i>{ad.status}</i>;
    return <button onClick={ad.press}>{ad.assets.title}</button>;
  }
  render(
    <StrictMode>
      <Feed />
    </StrictMode>,
  );
  await waitFor(() => screen.getByText("Tide tables"), AWAITED);
  await waitFor(() => expect(beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  screen.getByText("Tide tables").click();
  await waitFor(() => expect(beacons()).toEqual(["/b/imp/alpha", "/b/click/alpha"]), AWAITED);
  expect(device.opened).toEqual(["https://shop.example/"]);
  expect(asked()).toEqual(["feed"]);
});

test("the debugger's report is asked for with the last auctions, and a refusal has its reason", async () => {
  expect(await millrace.debugReport("early")).toMatchObject({ ok: false, code: "not_initialized" });
  await start();
  await millrace.loadAd({ zone: "end", format: "interstitial" });
  // This platform has no debugger: it answers 204.
  expect(await millrace.debugReport("a token")).toMatchObject({ ok: false, code: "bad_reply" });
  expect(server.of("/sdk/v1/debug").map(({ body }) => body)).toEqual([
    { token: "a token", auctions: [adReply([]).auction] },
  ]);
});
