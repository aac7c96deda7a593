import type { PartnerScore } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { UUID, openPage, someSettings } from "../testing/open-page.tsx";
import { someMediation } from "../testing/some-mediation.ts";
import { PartnerSwitch } from "./partner-switch.tsx";

const alpha = (enabled: boolean): PartnerScore => ({
  ...someMediation().partners.find(({ id }) => id === "alpha")!,
  enabled,
});

/** A partner's switch, and a button that stands for a page refresh after which it stands the other way. */
function Row() {
  const [enabled, setEnabled] = useState(true);
  return (
    <>
      <PartnerSwitch uuid={UUID} partner={alpha(enabled)} />
      <button onClick={() => setEnabled(!enabled)}>Refresh</button>
    </>
  );
}

test("Undo is no longer offered once somebody else has turned the switch back", async () => {
  answerCalls({ [`PUT /apps/${UUID}/partners/alpha`]: () => someSettings() });
  await openPage(() => <Row />, { path: "/apps" });
  await userEvent.click(await screen.findByRole("switch", { name: "Alpha takes part" }));
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByRole("button", { name: "Undo" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).toBeNull());
  expect(screen.queryByText(/from the next auction/)).toBeNull();
});

test("no error is shown for a switch that took effect although its reply was lost", async () => {
  answerCalls({ [`PUT /apps/${UUID}/partners/alpha`]: () => new Response("", { status: 502 }) });
  await openPage(() => <Row />, { path: "/apps" });
  await userEvent.click(await screen.findByRole("switch", { name: "Alpha takes part" }));
  await screen.findByRole("alert");
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(screen.queryByRole("alert")).toBeNull();
});
