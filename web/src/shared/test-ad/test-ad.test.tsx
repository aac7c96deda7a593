import type { TestAdReply } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { someSession } from "../../testing/some-session.ts";
import { SESSION_KEY } from "../session.ts";
import { TestAd } from "./test-ad.tsx";

const UUID = "00000000-0000-4000-8000-000000000001";
const AUCTION = "00000000-0000-4000-8000-0000000000aa";
const CALL = `POST /apps/${UUID}/test_ad`;
const app = { uuid: UUID, sdk_status: "check", sdk_status_class: "warning" } as const;
const zones = [{ zone: "preroll", name: "Pre-roll", format: "video" as const }];

const won: TestAdReply = {
  auction: AUCTION,
  zone: "test_banner",
  duration_ms: 40.6,
  ad: {
    provider: "games",
    name: "Lab games",
    price: 1_234_500,
    markup: { type: "html", content: "<b>Buy</b>" },
    w: 320,
    h: 50,
    impression: "https://ads.example.com/b/i?t=1",
  },
  no_ad: null,
};
const none = (code: string, text: string): TestAdReply => ({ ...won, ad: null, no_ad: { code, text } });

async function open(reply: () => unknown, role: "owner" | "GST" = "owner") {
  const sent = answerCalls({ [CALL]: reply });
  const page = await renderPage(() => <TestAd app={app} zones={zones} />, "/");
  page.queryClient.setQueryData(SESSION_KEY, someSession({ role }));
  return sent;
}
const press = async () => userEvent.click(await screen.findByRole("button", { name: "Send a test ad" }));
const frame = () => screen.queryByTitle<HTMLIFrameElement>("Test ad");

test("a test ad shows who won, at which price, how fast, and the ad in a frame without an origin", async () => {
  const sent = await open(() => won);
  await screen.findByRole("button", { name: "Send a test ad" });
  await userEvent.selectOptions(screen.getByLabelText("Ad to test"), "Banner");
  await press();
  expect((await screen.findByText(/Lab games won/)).textContent).toBe(
    "Lab games won with $1.2345 CPM, 41 ms Show the auction",
  );
  expect(screen.getByRole("link", { name: "Show the auction" }).getAttribute("href")).toBe(`/auctions/${AUCTION}`);
  expect(sent(CALL)[0]?.body).toEqual({ format: "banner" });
  expect([frame()?.getAttribute("sandbox"), frame()?.getAttribute("src"), frame()?.width]).toEqual([
    "allow-scripts allow-popups",
    "/sdk/frame.html",
    "320",
  ]);
});

test("the frame gets the ad once, and only when it says that it is ready", async () => {
  await open(() => won);
  await press();
  await waitFor(() => expect(frame()).not.toBeNull());
  const inside = frame()?.contentWindow;
  const told: unknown[] = [];
  Object.assign(inside ?? {}, { postMessage: (message: unknown) => told.push(message) });
  const say = (data: unknown, more: MessageEventInit = {}) =>
    window.dispatchEvent(new MessageEvent("message", { data, origin: "null", source: inside ?? null, ...more }));
  say({ millrace: 1, ready: 1 }, { source: window });
  say({ millrace: 1, ready: 1 }, { origin: "https://evil.example" });
  say({ millrace: 1, open: "https://evil.example" });
  say(null);
  expect(told).toEqual([]);
  say({ millrace: 1, ready: 1 });
  say({ millrace: 1, ready: 1 });
  expect(told).toEqual([{ millrace: 1, markup: expect.stringContaining("<b>Buy</b>") }]);
});

test("the app's zones come first", async () => {
  const sent = await open(() => won);
  await press();
  await waitFor(() => expect(sent(CALL)[0]?.body).toEqual({ format: "video", zone: "preroll" }));
});

test("without an ad, the reason and the next step are named", async () => {
  let reply: TestAdReply = none("no_partner_ready", "No partner was ready to be asked");
  await open(() => reply);
  await press();
  expect(await screen.findByText(/^No ad, 41 ms: No partner was ready to be asked\./)).toBeTruthy();
  expect(screen.getByText(/^Connect demand/)).toBeTruthy();
  expect(frame()).toBeNull();
  reply = { ...none("app_not_live", "The app is not live"), auction: AUCTION.replace("aa", "ab") };
  await press();
  expect(await screen.findByText("Your application is being moderated. Please wait.")).toBeTruthy();
});

test("a refusal is shown", async () => {
  await open(() => refused(429, "Please wait a moment before you send another test ad"));
  await press();
  expect(await screen.findByText("Please wait a moment before you send another test ad")).toBeTruthy();
});

test("a guest sees no test ads", async () => {
  await open(() => won, "GST");
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
});
