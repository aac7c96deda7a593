import type { KillSwitch } from "@millrace/contract";
import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { KillSwitchesBlock } from "./kill-switches.tsx";

const PARTNERS = [{ id: "xandr", name: "Xandr" }];
const LIST = "GET /admin/kill_switches.json";
const open = () => renderPage(() => <KillSwitchesBlock partners={PARTNERS} />, "/admin/partners");

const someSwitch = (more: Partial<KillSwitch> = {}): KillSwitch => ({
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  partner: "xandr",
  partner_name: "Xandr",
  app: null,
  app_name: null,
  sdk_from: "1.0.0",
  sdk_to: "1.0.3",
  countries: ["DE", "FR"],
  reason: "Its video crashes the player",
  created_at: "2026-11-24T10:00:00.000Z",
  created_by: "ada@example.com",
  ended_at: null,
  ended_by: null,
  ...more,
});

test("each switch stands with what is off, why, since when and by whom, and ends after a question", async () => {
  let isEnded = false;
  answerCalls({
    [LIST]: () => ({
      switches: [
        someSwitch(isEnded ? { ended_at: "2026-11-24T12:00:00.000Z", ended_by: "bob@example.com" } : {}),
        someSwitch({
          id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
          partner: null,
          partner_name: null,
          sdk_from: null,
          countries: [],
          ended_at: "2026-11-24T11:00:00.000Z",
        }),
      ],
    }),
    "POST /admin/kill_switches/0f8fad5b-d9cb-469f-a165-70867728950e/end": () => {
      isEnded = true;
      return { switches: [] };
    },
  });
  await open();
  const rows = (await screen.findAllByRole("row")).slice(1).map((row) => row.textContent);
  expect(rows[0]).toMatch(
    /^XandrSDK 1\.0\.0 to 1\.0\.3 · Germany, FranceIn forceIts video crashes the player.*ada@example\.com–End$/,
  );
  expect(rows[1]).toMatch(/^The SDK itselfSDK up to 1\.0\.3/);
  expect(rows[1]).not.toContain("In force");
  await userEvent.click(screen.getByRole("button", { name: "End the switch of Xandr" }));
  const question = within(await screen.findByRole("dialog"));
  expect(question.getByText(/takes part in auctions again: SDK 1\.0\.0 to 1\.0\.3 · Germany, France/)).toBeTruthy();
  await userEvent.click(question.getByRole("button", { name: "End switch" }));
  await screen.findByText(/bob@example\.com/);
  expect(screen.queryByText("In force")).toBeNull();
});

test("a partner that another switch keeps off is not said to be on again", async () => {
  const other = someSwitch({ id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427", sdk_to: null, countries: [] });
  answerCalls({
    [LIST]: () => ({ switches: [someSwitch(), other] }),
    [`POST /admin/kill_switches/${someSwitch().id}/end`]: () => ({ switches: [other] }),
  });
  await open();
  await userEvent.click((await screen.findAllByRole("button", { name: "End the switch of Xandr" }))[0]!);
  const question = within(await screen.findByRole("dialog"));
  expect(question.getByText(/It stays off where another switch is in force\.$/)).toBeTruthy();
  await userEvent.click(question.getByRole("button", { name: "End switch" }));
  expect(
    await screen.findByText(/^The switch has ended\. Xandr stays off where another switch is in force\./),
  ).toBeTruthy();
  expect(screen.queryByText(/is switched on again/)).toBeNull();
});

test("a switch needs what is off, conditions that can be met and a reason; what the server refuses stands at its field", async () => {
  let isKnown = false;
  const calls = answerCalls({
    [LIST]: () => ({ switches: [] }),
    "POST /admin/kill_switches.json": () =>
      isKnown ? { switches: [] } : refused(400, { app: "There is no app with this key" }),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Switch something off" }));
  const form = within(await screen.findByRole("dialog"));
  const submit = () => userEvent.click(form.getByRole("button", { name: "Switch off" }));
  const fill = (label: string, text: string) =>
    fireEvent.change(form.getByLabelText(label), { target: { value: text } });
  await submit();
  await form.findByText("Choose what is switched off");
  await userEvent.selectOptions(form.getByLabelText("Switch off"), "The SDK itself");
  await submit();
  await form.findByText("Name an app, versions or countries: otherwise nothing is sold at all");
  for (const [from, to, countries, message] of [
    ["1.10.0", "1.9.0", "DE", "Use a version that is not below the first"],
    ["1.9", "1.9.0", "DE", "Use a version like 1.4.0"],
    ["1.9.0", "1.9.0", "de UK", "UK is no country's code"],
  ] as const) {
    fill("From SDK version", from);
    fill("Up to SDK version", to);
    fill("Countries", countries);
    await submit();
    await form.findByText(message);
  }
  fill("From SDK version", "");
  fill("Up to SDK version", "");
  fill("Countries", "de, fr");
  fill("App key", "0f8fad5b-d9cb-469f-a165-70867728950e");
  fill("Reason", "It crashes");
  await submit();
  await form.findByText("There is no app with this key");
  isKnown = true;
  await submit();
  await screen.findByText("It is switched off. Every exchange follows within 5 seconds");
  expect(calls("POST /admin/kill_switches.json").at(-1)?.body).toEqual({
    partner: null,
    app: "0f8fad5b-d9cb-469f-a165-70867728950e",
    sdk_from: null,
    sdk_to: null,
    countries: ["DE", "FR"],
    reason: "It crashes",
  });
});
