import {
  type Measurement,
  POSTBACK_OUTCOMES,
  POSTBACK_OUTCOME_TEXTS,
  type PostbackLine,
  loadingText,
} from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { cellsOf } from "../../../testing/cells-of.ts";
import { refused } from "../../../testing/answer-calls.ts";
import { openAdd, openEdit, press } from "../testing/open-form.tsx";
import { UUID } from "../testing/some-campaign.ts";

const MEASUREMENT = `GET /campaign/${UUID}/measurement.json`;
const TEST = `POST /campaign/${UUID}/postback/test`;
const ROTATE = "POST /campaign/postback_secret";
const ABOUT: Measurement = {
  postback_url: "https://ads.example/postback/1",
  secret_since: "2026-11-20T08:30:00.000Z",
  postbacks: [],
  counts: {},
};
let lines = 0;
const line = (some: Partial<PostbackLine> = {}): PostbackLine => ({
  id: ++lines,
  at: "2026-11-23T09:15:00.000Z",
  event: "install",
  transaction_id: "",
  kind: "click",
  outcome: "accepted",
  test: false,
  ...some,
});

/** Opens a saved campaign's form at its postbacks. */
async function openPostbacks(some: Partial<Measurement> = {}, answers: Parameters<typeof openEdit>[0] = {}) {
  const { sent } = await openEdit({ [MEASUREMENT]: () => ({ ...ABOUT, ...some }), ...answers });
  return { sent, panel: within(await screen.findByRole("region", { name: "Postbacks" })) };
}
const rowsOf = (panel: ReturnType<typeof within>) =>
  within(panel.getByRole("table", { name: "The latest postbacks" }))
    .getAllByRole("row")
    .slice(1);

test("a campaign without postbacks has its address, and says that none has arrived", async () => {
  const { panel } = await openPostbacks();
  expect(panel.getByText("https://ads.example/postback/1?click_id=…&event=install&secret=…")).toBeTruthy();
  expect(panel.getByText(/The secret was made on Nov 20th, 2026, 08:30 UTC/)).toBeTruthy();
  expect(panel.getByText(/No postback has arrived yet/)).toBeTruthy();
  expect(panel.queryByRole("list", { name: "Postbacks of the last 30 days" })).toBeNull();
});

test("postbacks are announced while they load, and a failure has its cause and a second try", async () => {
  let fail: (reply: unknown) => void = () => {};
  const first = new Promise((resolve) => (fail = resolve));
  let answer: () => unknown = () => first;
  await openEdit({ [MEASUREMENT]: () => answer() });
  expect(await screen.findByText(loadingText("postbacks"))).toBeTruthy();
  fail(refused(503, "The database is starting"));
  const failed = within(await screen.findByRole("region", { name: "Measurement" }));
  expect(await failed.findByText(/The database is starting/)).toBeTruthy();
  answer = () => ABOUT;
  await userEvent.click(failed.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/No postback has arrived yet/)).toBeTruthy();
});

test("every outcome is told in words, in the list and among the counts of 30 days", async () => {
  const counts = Object.fromEntries(POSTBACK_OUTCOMES.map((outcome, nth) => [outcome, 1000 + nth]));
  const { panel } = await openPostbacks({ counts, postbacks: POSTBACK_OUTCOMES.map((outcome) => line({ outcome })) });
  expect(rowsOf(panel).map((row) => cellsOf(row)[3])).toEqual([
    "Accepted",
    "The secret or the signature is wrong",
    "A parameter is missing or wrong",
    "No click of yours has this id",
    "After the campaign's window",
    "Counted before",
    "This click has its 1,000 events already",
  ]);
  const counted = within(panel.getByRole("list", { name: "Postbacks of the last 30 days" })).getAllByRole("listitem");
  expect(counted.map(({ textContent }) => textContent)).toEqual(
    POSTBACK_OUTCOMES.map((outcome, nth) => `1,00${nth} ${POSTBACK_OUTCOME_TEXTS[outcome]}`),
  );
});

test("a line tells the event, its transaction, what it followed, and whether it was a test", async () => {
  const { panel } = await openPostbacks({
    postbacks: [
      line({ event: "purchase", transaction_id: "T-9", kind: "view" }),
      line({ event: "", kind: null, outcome: "malformed" }),
      line({ test: true }),
    ],
  });
  expect(rowsOf(panel).map(cellsOf)).toEqual([
    ["Nov 23rd, 2026, 09:15", "purchaseT-9", "View", "Accepted"],
    ["Nov 23rd, 2026, 09:15", "–", "–", "A parameter is missing or wrong"],
    ["Nov 23rd, 2026, 09:15", "install", "Click", "Accepted (test)"],
  ]);
});

test("the address names the event that the campaign counts, and other accepted events are said to be no conversions", async () => {
  const { panel } = await openPostbacks({ postbacks: [line(), line({ event: "purchase", test: true })] });
  expect(panel.queryByText(/are no conversions/)).toBeNull();
  const event = screen.getByLabelText(/^Conversion event/);
  await userEvent.clear(event);
  await userEvent.type(event, "purchase");
  expect(panel.getByText(/&event=purchase&/)).toBeTruthy();
  expect(panel.getByText(/^This campaign counts “purchase” alone/)).toBeTruthy();
});

test("a long list shows its latest lines, and the others by keyboard", async () => {
  const { panel } = await openPostbacks({ postbacks: Array.from({ length: 50 }, () => line()) });
  expect(rowsOf(panel)).toHaveLength(8);
  panel.getByRole("button", { name: "Show 42 more" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(rowsOf(panel)).toHaveLength(50);
  expect(document.activeElement).toBe(panel.getByRole("button", { name: "Show fewer" }));
  await userEvent.keyboard(" ");
  expect(rowsOf(panel)).toHaveLength(8);
});

test("a test postback is sent by keyboard, listed, and said to count for nothing", async () => {
  const postbacks: PostbackLine[] = [];
  const { panel, sent } = await openPostbacks(
    { postbacks },
    { [TEST]: () => (postbacks.unshift(line({ test: true })), { ok: 1 }) },
  );
  panel.getByRole("button", { name: "Send a test postback" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(await panel.findByText("The test postback was accepted. Nothing is counted for it.")).toBeTruthy();
  await waitFor(() => expect(cellsOf(rowsOf(panel)[0])[3]).toBe("Accepted (test)"));
  expect(sent(TEST)).toHaveLength(1);
});

test("a test postback that is refused says why", async () => {
  const { panel } = await openPostbacks({}, { [TEST]: () => refused(429, "Too many wrong secrets") });
  await userEvent.click(panel.getByRole("button", { name: "Send a test postback" }));
  await waitFor(() => expect(panel.getByRole("alert").textContent).toContain("Too many wrong secrets"));
  expect(panel.queryByText(/was accepted/)).toBeNull();
});

test("a secret is replaced only after a question, which Escape answers with no", async () => {
  const { sent } = await openPostbacks({}, { [ROTATE]: () => ({ id: UUID, secret: "n3w" }) });
  await press("Replace the secret");
  const dialog = await screen.findByRole("dialog", { name: "Replace the secret?" });
  expect(dialog.textContent).toContain("refused at once, for all campaigns of this account");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(ROTATE)).toHaveLength(0);
  await press("Replace the secret");
  const again = within(await screen.findByRole("dialog", { name: "Replace the secret?" }));
  await userEvent.click(again.getByRole("button", { name: "Replace the secret" }));
  expect(await screen.findByText(/&secret=n3w$/)).toBeTruthy();
  expect(screen.getByText(/the secret is not shown again/)).toBeTruthy();
  expect(sent(ROTATE)).toHaveLength(1);
});

test("an account's first secret is made when it is asked for, without a question", async () => {
  let since: string | null = null;
  const make = () => ((since = ABOUT.secret_since), { id: UUID, secret: "f1rst" });
  const { panel } = await openPostbacks(
    {},
    { [MEASUREMENT]: () => ({ ...ABOUT, secret_since: since }), [ROTATE]: make },
  );
  expect(panel.getByText(/Make a secret to complete the address/)).toBeTruthy();
  await press("Make a secret");
  expect(await panel.findByText(/&secret=f1rst$/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(panel.getByRole("button", { name: "Replace the secret" })));
});

async function choose(provider: string) {
  await userEvent.selectOptions(await screen.findByLabelText("Attribution provider"), provider);
}
const clickLink = () => screen.getByLabelText<HTMLInputElement>("Click link (optional)");

test("a provider has an address for installs and one for other events, and names that are not confirmed are named", async () => {
  const { panel } = await openPostbacks();
  await choose("Kochava");
  const address = "https://ads.example/postback/1?click_id={click_id}&event=";
  expect(panel.getByText(`${address}install&secret=…`)).toBeTruthy();
  expect(panel.getByText(`${address}{event_name}&secret=…`)).toBeTruthy();
  const warning = screen.getByText(/Compare these names with Kochava’s own/);
  expect(warning.textContent).toMatch(/click_id, site_id, creative_id, \{click_id\}, \{event_name\}\.$/);
  await choose("Adjust");
  expect(screen.queryByText(/Compare these names/)).toBeNull();
  expect(screen.getByText(/The link itself tells Adjust where to report installs/)).toBeTruthy();
});

test("a provider's parameters are added to a link once there is one, with the callback for its installs", async () => {
  await openPostbacks();
  await choose("Adjust");
  const add = screen.getByRole<HTMLButtonElement>("button", { name: "Add its parameters" });
  expect(add.disabled).toBe(true);
  await userEvent.type(clickLink(), "https://app.adjust.com/abc");
  await waitFor(() => expect(add.disabled).toBe(false));
  await userEvent.click(add);
  const link = new URL(clickLink().value).searchParams;
  expect(link.get("click_id")).toBe("{click_id}");
  expect(link.get("install_callback")).toBe(
    "https://ads.example/postback/1?click_id={click_id}&event=install&signature={install_signature}",
  );
  // The link is public.
  expect(clickLink().value).not.toContain("s3cret");
});

test("a new campaign has no postbacks yet, and its provider's callback waits until it is saved", async () => {
  const { sent } = await openAdd();
  expect(await screen.findByText("The address for postbacks is here once the campaign is saved.")).toBeTruthy();
  await choose("Adjust");
  expect(screen.getByText(/Its install callback can be added once the campaign is saved/)).toBeTruthy();
  await userEvent.type(clickLink(), "https://app.adjust.com/abc");
  await press("Add its parameters");
  expect(clickLink().value).toContain("click_id={click_id}");
  expect(clickLink().value).not.toContain("callback");
  expect(sent(MEASUREMENT)).toHaveLength(0);
});
