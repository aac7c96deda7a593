import { type FirstStep, type FirstSteps as Steps, type Role, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { someSession } from "../../testing/some-session.ts";
import { SESSION_KEY } from "../session.ts";
import { FirstSteps } from "./first-steps.tsx";

const UUID = "00000000-0000-4000-8000-000000000001";
const CALL = `GET /apps/${UUID}/first_steps.json`;
const CONNECT = `POST /apps/${UUID}/demo_partners`;
const app = {
  uuid: UUID,
  sdk_status: "download" as const,
  sdk_status_class: "warning" as const,
  sdk_info: { version: null, changelog_url: null, update_url: null },
};

const SINCE = "2026-11-19";
const step = (name: FirstStep["step"], state: FirstStep["state"], count: number | null = null): FirstStep => ({
  step: name,
  state,
  count,
  since: state === "done" && count !== null && name !== "demand" ? SINCE : null,
});

const someSteps = (
  states: Partial<Record<FirstStep["step"], FirstStep["state"]>> = {},
  more: Partial<Steps> = {},
): Steps => ({
  steps: [
    step("app", states.app ?? "done"),
    step("demand", states.demand ?? "todo", states.demand === "done" ? 3 : 0),
    step("snippet", states.snippet ?? "waiting", states.snippet === "done" ? 2 : 0),
    step("request", states.request ?? "waiting", states.request === "done" ? 1 : 0),
    step("impression", states.impression ?? "waiting", states.impression === "done" ? 1 : 0),
    step("app_ads", states.app_ads ?? "todo"),
  ],
  moderation: "live",
  is_sample: false,
  partners_available: 3,
  has_demo_partners: false,
  not_counted: 0,
  has_site: false,
  ...more,
});

async function open(reply: () => unknown, more: { role?: Role; answers?: Parameters<typeof answerCalls>[0] } = {}) {
  const sent = answerCalls({ [CALL]: reply, ...more.answers });
  const page = await renderPage(() => <FirstSteps app={app} />, "/apps/$uuid/performance", `/apps/${UUID}/performance`);
  page.queryClient.setQueryData(SESSION_KEY, someSession({ role: more.role ?? "owner" }));
  return { ...page, sent };
}
const progress = () => screen.getByText(/^\d of 5 done$/).textContent;
async function lines() {
  // The region's skeleton has no progress.
  await screen.findByText(/^\d of 5 done$/);
  const region = screen.getByRole("region", { name: "First steps" });
  return within(region)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
}

test("each step says its state, what was counted, and what comes next", async () => {
  await open(() => someSteps({ demand: "done", snippet: "done", request: "done" }, { not_counted: 2, has_site: true }));
  const shown = await lines();
  expect(shown).toEqual([
    "Done: App addedIt is live: its requests are auctioned.",
    "Done: Demand connected3 partners can bid.",
    "Done: Snippet in2 sessions since Nov 19th, 2026",
    "Done: First request1 request since Nov 19th, 2026",
    expect.stringMatching(/^4|Waiting: First impression.*2 events arrived and did not count/),
    expect.stringMatching(/To do: Publish app-ads\.txt.*does not have all lines yet.*Show the lines$/),
  ]);
  expect(progress()).toBe("4 of 5 done");
});

test("the steps tick while one watches, and the list goes away with the first impression", async () => {
  let steps = someSteps({ demand: "done" });
  const { queryClient } = await open(() => steps);
  expect((await lines())[2]).toContain("Waiting for the first session");
  steps = someSteps({ demand: "done", snippet: "done", request: "done" });
  await queryClient.refetchQueries();
  await waitFor(() => expect(progress()).toBe("4 of 5 done"));
  steps = someSteps({ demand: "done", snippet: "done", request: "done", impression: "done" });
  await queryClient.refetchQueries();
  await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
});

test("the list is watched to its end although the app's SDK is known by then", async () => {
  let steps = someSteps({ demand: "done", snippet: "done", request: "done" });
  answerCalls({ [CALL]: () => steps });
  function Heard() {
    const [version, setVersion] = useState<string | null>(null);
    return (
      <>
        <button onClick={() => setVersion("1.0.0")}>Hear of the SDK</button>
        <FirstSteps app={{ ...app, sdk_info: { ...app.sdk_info, version } }} />
      </>
    );
  }
  const { queryClient } = await renderPage(Heard, "/apps/$uuid/performance", `/apps/${UUID}/performance`);
  await lines();
  await userEvent.click(screen.getByRole("button", { name: "Hear of the SDK" }));
  steps = someSteps({ demand: "done", snippet: "done", request: "done", impression: "done" });
  await queryClient.refetchQueries();
  await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
});

test("in the demo, one click connects its partners; a refusal says why", async () => {
  const connected = someSteps({ demand: "done" }, { has_demo_partners: true });
  let answer: () => unknown = () => refused(503, "The store is away");
  let steps = someSteps({}, { has_demo_partners: true });
  await open(() => steps, { answers: { [CONNECT]: () => answer() } });
  const button = await screen.findByRole("button", { name: "Connect the demo's partners" });
  await userEvent.click(button);
  expect(await screen.findByText("The store is away")).toBeTruthy();
  answer = () => (steps = connected);
  await userEvent.click(button);
  expect(await screen.findByText("3 partners can bid.")).toBeTruthy();
});

test("steps lead on by the role: a guest has no links, a developer only the snippets", async () => {
  const links = () => screen.queryAllByRole("link").map(({ textContent }) => textContent);
  const guest = await open(() => someSteps(), { role: "GST" });
  await lines();
  expect(links()).toEqual([]);
  guest.unmount();
  const developer = await open(() => someSteps(), { role: "SDEV" });
  await screen.findByRole("link", { name: "Show the snippets" });
  expect(links()).toEqual(["Show the snippets"]);
  developer.unmount();
  await open(() => someSteps());
  await screen.findByRole("link", { name: "Enter keys" });
  expect(links()).toEqual(["Enter keys", "Show the snippets", "Set the site"]);
});

test("an app that waits for moderation, or a platform without partners, says so", async () => {
  await open(() => someSteps({ app: "waiting" }, { moderation: "check", partners_available: 0 }));
  const [first, second] = await lines();
  expect(first).toContain("Your application is being moderated. Please wait.");
  expect(second).toMatch(/has not added a partner yet/);
  expect(screen.queryByRole("link", { name: "Enter keys" })).toBeNull();
});

test("a sample app has no steps, and the page says that its figures are made up", async () => {
  let steps = someSteps({}, { is_sample: true });
  const { queryClient } = await open(() => steps);
  expect((await screen.findByRole("note")).textContent).toBe(
    `${TEXTS.sampleApp} Its week of figures appears within a minute.`,
  );
  steps = someSteps({ impression: "done" }, { is_sample: true });
  await queryClient.refetchQueries();
  await waitFor(() => expect(screen.getByRole("note").textContent).toBe(TEXTS.sampleApp));
  expect(screen.queryByRole("region")).toBeNull();
});

test("an app whose SDK has shown ads is not asked about", async () => {
  const sent = answerCalls({ [CALL]: () => someSteps() });
  const shown = { ...app, sdk_info: { ...app.sdk_info, version: "1.0.0" } };
  await renderPage(() => <FirstSteps app={shown} />, "/");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent(CALL)).toHaveLength(0);
});
