// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMockMillrace } from "./mock.ts";

const AWAITED = { timeout: 30_000 };
let millrace: ReturnType<typeof createMockMillrace>;
beforeEach(async () => {
  millrace = createMockMillrace();
  await millrace.initialize({
    app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    endpoint: "https://ads.example.com",
    logLevel: "none",
  });
});
afterEach(() => {
  cleanup();
  millrace.shutdown();
});

/** A screen as apps have them. */
function Shop() {
  const ad = millrace.useRewarded("extra_life");
  return (
    <>
      <button
        onClick={() => {
          void ad
            .show()
            .then((shown) => (document.title = shown.ok && shown.reward ? `${shown.reward.amount} coins` : "none"));
        }}
      >
        {ad.status}
      </button>
      <millrace.AdScreen />
    </>
  );
}

test("an app's test earns a reward without server, web view or device", async () => {
  render(<Shop />);
  await waitFor(() => screen.getByText("ready"), AWAITED);
  screen.getByText("ready").click();
  await waitFor(() => screen.getByText("showing"), AWAITED);
  act(() => {
    millrace.mock.press();
    millrace.mock.earnReward();
    millrace.mock.close();
  });
  await waitFor(() => expect(document.title).toBe("5 coins"), AWAITED);
  expect(millrace.mock.requests).toEqual([{ zone: "extra_life", format: "rewarded" }]);
});

test("an app's test sees what happens when nobody buys", async () => {
  millrace.mock.fills = false;
  render(<Shop />);
  await waitFor(() => expect(screen.getByText("failed")).toBeTruthy(), AWAITED);
});

test("banners and native ads start when they are mounted", async () => {
  const displayed: string[] = [];
  function Page() {
    const ad = millrace.useNative("feed");
    return (
      <>
        {ad.status === "showing" ? <b>{ad.assets.title}</b> : null}
        <millrace.Banner zone="home" onDisplayed={({ zone }) => displayed.push(zone)} />
      </>
    );
  }
  render(<Page />);
  await waitFor(() => screen.getByText("An advertised thing"), AWAITED);
  await waitFor(() => expect(displayed).toEqual(["home"]), AWAITED);
});

test("an app's test gets a debugger's report without a token", async () => {
  expect(await millrace.debugReport("")).toMatchObject({ ok: true, report: { app: { is_live: true }, auctions: [] } });
});
