import { type LineItem, type LineItems, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage, someApp, UUID } from "../testing/open-page.tsx";
import { LineItemsPanel } from "./line-items.tsx";
import { fieldsOf } from "./waterfall-rows.ts";

const ITEM: LineItem = {
  uuid: "00000000-0000-4000-8000-0000000000aa",
  revision: "a-revision",
  name: "Cedar",
  format: "banner",
  zones: [],
  enabled: true,
  source: { kind: "html", html: "<p>Ad</p>", size: { w: 320, h: 50 } },
  prices: [
    { country: null, price: 2_000_000 },
    { country: "US", price: 2_500_000 },
  ],
  gvl_id: null,
  expected: [
    { country: null, price: 1_800_000, low: 1_500_000, high: 2_100_000 },
    { country: "US", price: 2_200_000, low: 1_900_000, high: 2_500_000 },
  ],
  paid: 340,
  steps: { tried: 0, filled: 0 },
  yesterday: { impressions: 1200, expected: 2_400_000, countries: { US: 2_400_000 } },
};
const replyOf = (...items: LineItem[]): LineItems => ({ app: someApp(), day: "2026-11-23", items });
const PATH = "/apps/$uuid/mediation";
const call = (method: string, rest: string) => `${method} /apps/${UUID}/line_items${rest}`;

async function open(items: LineItem[], more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [call("GET", ".json")]: () => replyOf(...items), ...more });
  await openPage(() => <LineItemsPanel uuid={UUID} />, { path: PATH, at: `/apps/${UUID}/mediation` });
  return sent;
}

test("without line items, it says what they are, and the first one is added", async () => {
  const sent = await open([], { [call("POST", "")]: () => replyOf(ITEM) });
  await userEvent.click(await screen.findByRole("button", { name: "Add line item" }));
  const form = within(await screen.findByRole("dialog"));
  await userEvent.click(form.getByRole("button", { name: "Add line item" }));
  expect(form.getByText("Add a price")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Name"), "Cedar");
  await userEvent.click(form.getByLabelText("HTML tag"));
  await userEvent.type(form.getByLabelText("Markup"), "<p>Ad</p>");
  await userEvent.type(form.getByLabelText("Price per thousand impressions in $"), "2");
  await userEvent.type(form.getByLabelText("Prices by country"), "US 2.50");
  await userEvent.click(form.getByRole("button", { name: "Add line item" }));
  await screen.findByText("Cedar");
  expect(sent(call("POST", ""))[0]?.body).toEqual(fieldsOf(ITEM));
});

test("a line item that was begun asks before Escape discards it", async () => {
  await open([]);
  await userEvent.click(await screen.findByRole("button", { name: "Add line item" }));
  const field = await screen.findByLabelText<HTMLInputElement>("Name");
  await userEvent.type(field, "Cedar");
  await userEvent.keyboard("{Escape}");
  const question = { name: "Leave without saving?" };
  await userEvent.click(within(await screen.findByRole("dialog", question)).getByRole("button", { name: "Stay here" }));
  await waitFor(() => expect(screen.queryByRole("dialog", question)).toBeNull());
  expect(field.value).toBe("Cedar");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(within(await screen.findByRole("dialog", question)).getByRole("button", { name: "Leave" }));
  await waitFor(() => expect(field.isConnected).toBe(false));
  await userEvent.click(screen.getByRole("button", { name: "Add line item" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Name")).value).toBe("");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what line items are expected to have earned is told apart from revenue, and one is switched off", async () => {
  const sent = await open([ITEM], { [call("PUT", `/${ITEM.uuid}`)]: () => replyOf({ ...ITEM, enabled: false }) });
  const table = within(await screen.findByRole("table", { name: "Line items of the app" }));
  expect(table.getByText("HTML tag, banner")).toBeTruthy();
  expect(table.getByText("$2.0000 and 1 country")).toBeTruthy();
  expect(table.getByText("1,200")).toBeTruthy();
  expect(table.getByText("$2.40")).toBeTruthy();
  expect(screen.getByText(/in no revenue and no balance/)).toBeTruthy();
  await userEvent.click(table.getByRole("switch", { name: "Cedar takes part" }));
  await waitFor(() => expect(table.getByRole("switch").getAttribute("aria-checked")).toBe("false"));
  expect(sent(call("PUT", `/${ITEM.uuid}`))[0]?.body).toMatchObject({ name: "Cedar", enabled: false });
});

test("a line item that somebody has changed meanwhile is not overwritten, and can be reloaded", async () => {
  let now = ITEM;
  const sent = await open([], {
    [call("GET", ".json")]: () => replyOf(now),
    [call("PUT", `/${ITEM.uuid}`)]: ({ query }) =>
      query.get("revision") === now.revision ? replyOf(now) : refused(409, TEXTS.stale),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Cedar" }));
  const form = () => within(screen.getByRole("dialog"));
  const valueOf = (label: string) => form().getByLabelText<HTMLInputElement>(label).value;
  await userEvent.type(form().getByLabelText("Name"), " two");
  now = { ...ITEM, revision: "next", prices: [{ country: null, price: 3_000_000 }] };
  await userEvent.click(form().getByRole("button", { name: "Save line item" }));
  await form().findByText(TEXTS.stale);
  expect(valueOf("Name")).toBe("Cedar two");
  await userEvent.click(form().getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(valueOf("Price per thousand impressions in $")).toBe("3"));
  expect(valueOf("Name")).toBe("Cedar");
  await userEvent.click(form().getByRole("button", { name: "Save line item" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(call("PUT", `/${ITEM.uuid}`)).map(({ query }) => query.get("revision"))).toEqual(["a-revision", "next"]);
});

test("a file with a wrong line changes no price, and its faults are listed", async () => {
  await open([ITEM], {
    [call("POST", "/prices")]: () =>
      refused(400, { "line 3, price": "Use a price like 2.50, above 0 and at most 1000" }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Import prices" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.upload(dialog.getByLabelText("Choose a CSV file"), new File(["line_item,country,price\n"], "p.csv"));
  await userEvent.click(dialog.getByRole("button", { name: "Import prices" }));
  expect(await dialog.findByText("line 3, price")).toBeTruthy();
  expect(dialog.getByRole("alert").textContent).toBe("No price was changed.");
});

test("a file that cannot be read is not sent, and the dialog says that the import failed", async () => {
  const sent = await open([ITEM]);
  await userEvent.click(await screen.findByRole("button", { name: "Import prices" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Import prices" }));
  const file = new File(["line_item,country,price\n"], "gone.csv");
  file.text = () => Promise.reject(new DOMException("The file has changed", "NotReadableError"));
  await userEvent.upload(dialog.getByLabelText("Choose a CSV file"), file);
  await userEvent.click(dialog.getByRole("button", { name: "Import prices" }));
  expect((await dialog.findByRole("alert")).textContent).toBe(TEXTS.requestFailed);
  expect(sent(call("POST", "/prices"))).toHaveLength(0);
});

test("a chosen file that is not imported yet is not lost without a question", async () => {
  const sent = await open([ITEM], { [call("POST", "/prices")]: () => replyOf(ITEM) });
  await userEvent.click(await screen.findByRole("button", { name: "Import prices" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Import prices" }));
  await userEvent.upload(dialog.getByLabelText("Choose a CSV file"), new File(["line_item,country,price\n"], "p.csv"));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  const question = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
  await userEvent.click(question.getByRole("button", { name: "Stay here" }));
  await userEvent.click(dialog.getByRole("button", { name: "Import prices" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(call("POST", "/prices"))).toHaveLength(1);
});

test("an import that is over after its dialog was left does not close another one", async () => {
  await open([ITEM], { [call("POST", "/prices")]: () => replyOf(ITEM) });
  await userEvent.click(await screen.findByRole("button", { name: "Import prices" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Import prices" }));
  const file = new File(["line_item,country,price\n"], "p.csv");
  let isRead: (text: string) => void = () => {};
  file.text = () => new Promise((resolve) => (isRead = resolve));
  await userEvent.upload(dialog.getByLabelText("Choose a CSV file"), file);
  await userEvent.click(dialog.getByRole("button", { name: "Import prices" }));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Add line item" }));
  await userEvent.type(await screen.findByLabelText("Name"), "Next");
  isRead("line_item,country,price\n");
  expect(await screen.findByText("Prices imported")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Next");
});
