// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { StrictMode, useLayoutEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FullScreenAd } from "./hooks/index.ts";
import { reactBench } from "./testing/react-bench.ts";

const AWAITED = { timeout: 30_000 };
let at: Awaited<ReturnType<typeof reactBench>>;
beforeEach(async () => {
  at = await reactBench();
});
afterEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  await at.stop();
});

/** A component that keeps what its hook has returned, by the time that it stands in the page. */
function hooked<Ad extends FullScreenAd>(useAd: () => Ad) {
  const kept: { ad?: Ad; statuses: string[] } = { statuses: [] };
  function Level() {
    const ad = useAd();
    useLayoutEffect(() => {
      kept.ad = ad;
      if (kept.statuses.at(-1) !== ad.status) kept.statuses.push(ad.status);
    });
    return <i>{ad.status}</i>;
  }
  return { Level, kept, ad: () => kept.ad ?? expect.fail("not rendered") };
}
const status = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy(), AWAITED);

test("in strict mode, too, a banner asks for one ad, has its size before it comes, and is gone at its unmount", async () => {
  await at.initialize();
  const onDisplayed = vi.fn<() => void>();
  const banner = <at.Banner zone="home" size="300x250" className="slot" onDisplayed={onDisplayed} />;
  const { container, unmount } = render(<StrictMode>{banner}</StrictMode>);
  const slot = container.querySelector<HTMLElement>(".slot");
  expect([slot?.style.minWidth, slot?.style.minHeight]).toEqual(["300px", "250px"]);
  await waitFor(() => expect(slot?.textContent).toBe("ad of alpha"), AWAITED);
  await waitFor(() => expect(onDisplayed).toHaveBeenCalledOnce(), AWAITED);
  expect(at.asked()).toEqual(["home"]);
  await waitFor(() => expect(at.beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  unmount();
  expect(at.destroyed).toEqual(["alpha"]);
});

test("a banner without an ad tells why", async () => {
  await at.initialize();
  at.providers = [];
  const onFailed = vi.fn<() => void>();
  render(<at.Banner zone="home" onFailed={onFailed} />);
  await waitFor(() => expect(onFailed).toHaveBeenCalledWith({ code: "no_ad", message: "No ad" }), AWAITED);
});

test("an ad that arrives after its component is unmounted is not even prepared", async () => {
  await at.initialize();
  let arrive: () => void = () => {};
  at.gate = new Promise((resolve) => (arrive = resolve));
  const { Level, kept } = hooked(() => at.useInterstitial("level_end"));
  const { unmount } = render(<Level />);
  await waitFor(() => expect(at.asked()).toEqual(["level_end"]), AWAITED);
  unmount();
  arrive();
  render(<at.Banner zone="home" />);
  await waitFor(() => expect(at.beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  expect(at.prepared).toEqual(["alpha"]);
  expect(kept.statuses).toEqual(["loading"]);
});

test("a component that is unmounted at once asks for nothing", async () => {
  await at.initialize();
  const { Level } = hooked(() => at.useInterstitial("level_end"));
  render(<Level />).unmount();
  render(<at.Banner zone="home" />);
  await waitFor(() => expect(at.asked()).toEqual(["home"]), AWAITED);
});

test("an interstitial is loaded once at the mount, shown, and loaded again when the app asks", async () => {
  await at.initialize();
  const { Level, kept, ad } = hooked(() => at.useInterstitial("level_end", { timeoutMs: 30_000 }));
  render(
    <StrictMode>
      <Level />
    </StrictMode>,
  );
  await status("ready");
  const showing = ad().show();
  await status("showing");
  await waitFor(() => expect(screen.getByText("ad of alpha")).toBeTruthy(), AWAITED);
  act(() => at.close());
  expect(await showing).toMatchObject({ ok: true, zone: "level_end" });
  await status("closed");
  expect(at.asked()).toEqual(["level_end"]);

  // React may render once for two changes at once, so the ad comes only when its loading was seen.
  let arrive: () => void = () => {};
  at.gate = new Promise((resolve) => (arrive = resolve));
  const loading = [ad().load(), ad().load()];
  await status("loading");
  arrive();
  expect((await Promise.all(loading)).map(({ ok }) => ok)).toEqual([true, true]);
  await status("ready");
  expect(at.asked()).toEqual(["level_end", "level_end"]);
  const statuses = ["loading", "ready", "showing", "closed", "loading", "ready"];
  await waitFor(() => expect(kept.statuses).toEqual(statuses), AWAITED);
});

test("a show before the ad is loaded fails with a code, and the ad is ready later all the same", async () => {
  await at.initialize();
  const { Level, kept, ad } = hooked(() => at.useInterstitial("level_end"));
  render(<Level />);
  expect(await ad().show()).toMatchObject({ ok: false, code: expect.stringMatching(/^(not_ready|destroyed)$/) });
  await status("ready");
  await waitFor(() => expect(kept.statuses).toEqual(["loading", "ready"]), AWAITED);
});

test("a rewarded ad gives its reward, by the values of the last render", async () => {
  await at.initialize();
  let setUser: (user: string) => void = () => {};
  const { Level, ad } = hooked(() => {
    const [userId, set] = useState("first");
    setUser = set;
    return at.useRewarded("extra_life", { userId });
  });
  render(<Level />);
  await status("ready");
  const showing = ad().show();
  await status("showing");
  await waitFor(() => expect(screen.getByText("ad of alpha")).toBeTruthy(), AWAITED);
  act(() => at.close());
  expect(await showing).toMatchObject({ ok: true, rewarded: true, reward: { name: "coins", amount: 5 } });
  act(() => setUser("second"));
  await act(() => ad().load());
  expect(at.requests()).toMatchObject([{ user_id: "first" }, { user_id: "second" }]);
});

test("an ad that was loaded, or is being loaded, for one user is not given to the next", async () => {
  await at.initialize();
  let arrive: () => void = () => {};
  at.gate = new Promise((resolve) => (arrive = resolve));
  let setUser: (id: string) => void = () => {};
  const { Level, ad } = hooked(() => {
    const [userId, set] = useState("first");
    setUser = set;
    return at.useRewarded("extra_life", { userId });
  });
  render(<Level />);
  await waitFor(() => expect(at.requests()).toHaveLength(1), AWAITED);
  act(() => setUser("second"));
  const loading = [ad().load(), ad().load()];
  arrive();
  expect((await act(() => Promise.all(loading))).map(({ ok }) => ok)).toEqual([true, true]);
  expect([at.requests(), at.destroyed]).toMatchObject([[{ user_id: "first" }, { user_id: "second" }], ["alpha"]]);
  act(() => setUser("third"));
  await act(() => ad().load());
  expect([at.requests().at(-1), at.destroyed]).toMatchObject([{ user_id: "third" }, ["alpha", "alpha"]]);
});

test("the code of a failure is in the state, and another load may bring an ad", async () => {
  await at.initialize();
  at.providers = [];
  const { Level, ad } = hooked(() => at.useRewarded("extra_life"));
  render(<Level />);
  await status("failed");
  expect(ad()).toMatchObject({ failure: { code: "no_ad" } });
  at.providers = ["beta"];
  await act(() => ad().load());
  await status("ready");
});

test("what was mounted before the SDK is initialized loads when it is, and again after the next time", async () => {
  const { Level, ad } = hooked(() => at.useInterstitial("level_end"));
  const { container } = render(
    <>
      <Level />
      <at.Banner zone="home" className="slot" />
    </>,
  );
  await status("failed");
  expect(ad()).toMatchObject({ failure: { code: "not_initialized" } });
  for (const times of [1, 2]) {
    await act(() => at.initialize());
    await waitFor(
      () =>
        expect(at.asked().toSorted()).toEqual(
          Array.from({ length: 2 * times }, (_, i) => (i < times ? "home" : "level_end")),
        ),
      AWAITED,
    );
    await status("ready");
    await waitFor(() => expect(container.querySelector(".slot")?.textContent).toBe("ad of alpha"), AWAITED);
  }
});

test("the last component of a zone has it, and its end does not end another's ad", async () => {
  await at.initialize();
  const [first, second] = [
    hooked(() => at.useInterstitial("level_end")),
    hooked(() => at.useInterstitial("level_end")),
  ];
  const before = render(<first.Level />);
  await status("ready");
  render(<second.Level />);
  await waitFor(() => expect(second.kept.statuses.at(-1)).toBe("ready"), AWAITED);
  expect(first.ad()).toMatchObject({ status: "failed", failure: { code: "destroyed" } });
  expect(await first.ad().show()).toMatchObject({ ok: false, code: "destroyed" });
  before.unmount();
  const showing = second.ad().show();
  await waitFor(() => expect(screen.getByText("ad of alpha")).toBeTruthy(), AWAITED);
  act(() => at.close());
  expect(await showing).toMatchObject({ ok: true });
});

test("another zone gives up the ad of the one before", async () => {
  await at.initialize();
  let setZone: (zone: string) => void = () => {};
  const { Level } = hooked(() => {
    const [zone, set] = useState("one");
    setZone = set;
    return at.useInterstitial(zone);
  });
  render(<Level />);
  await status("ready");
  act(() => setZone("two"));
  await waitFor(() => expect(at.asked()).toEqual(["one", "two"]), AWAITED);
  expect(at.destroyed).toEqual(["alpha"]);
});

test("a native ad is drawn by the component before its impression counts, and a click in it is the ad's", async () => {
  await at.initialize();
  vi.spyOn(window, "open").mockReturnValue(null);
  function Feed() {
    const { ref, view, status } = at.useNative("feed", ({ title }) => <article>{title}</article>);
    return (
      <section ref={ref}>
        {view}
        <i>{status}</i>
      </section>
    );
  }
  const { unmount } = render(
    <StrictMode>
      <Feed />
    </StrictMode>,
  );
  await status("showing");
  expect(screen.getByText("Tide tables").closest("section")).toBeTruthy();
  await waitFor(() => expect(at.beacons()).toEqual(["/b/imp/alpha"]), AWAITED);
  screen.getByText("Tide tables").click();
  await waitFor(() => expect(at.beacons()).toEqual(["/b/imp/alpha", "/b/click/alpha"]), AWAITED);
  expect(at.asked()).toEqual(["feed"]);
  unmount();
  expect(screen.queryByText("Tide tables")).toBe(null);
});

test("a component that was mounted before a failed start loads its ad without another start, once the server answers", async () => {
  const { Level } = hooked(() => at.useInterstitial("level_end"));
  const { container } = render(
    <>
      <Level />
      <at.Banner zone="home" className="slot" />
    </>,
  );
  await status("failed");
  // As while the user is asked for consent, which takes longer than a start may.
  let choose: () => void = () => {};
  at.consent = new Promise((resolve) => (choose = () => resolve({})));
  await act(async () => expect(await at.initialize()).toMatchObject({ ok: false, code: "consent_pending" }));
  choose();
  await status("ready");
  await waitFor(() => expect(container.querySelector(".slot")?.textContent).toBe("ad of alpha"), AWAITED);
});

test("a component has its zone again once the one that took it is gone, as after the user has gone back", async () => {
  await at.initialize();
  const { container } = render(<at.Banner zone="home" className="slot" />);
  const slot = container.querySelector(".slot");
  await waitFor(() => expect(slot?.textContent).toBe("ad of alpha"), AWAITED);
  const pages = [render(<at.Banner zone="home" />), render(<at.Banner zone="home" />)];
  await waitFor(() => expect(pages[1]?.container.textContent).toBe("ad of alpha"), AWAITED);
  expect(slot?.textContent).toBe("");
  for (const { unmount } of pages) unmount();
  await waitFor(() => expect(slot?.textContent).toBe("ad of alpha"), AWAITED);
});
