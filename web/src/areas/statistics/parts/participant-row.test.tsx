import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Explained } from "../auction-gist.ts";
import { ParticipantRow } from "./participant-row.tsx";

const participant: Explained["participants"][number] = {
  provider: "lab-steady",
  name: "Lab steady",
  outcome: { code: "no_bid", text: "No bid" },
  latency_ms: 12,
  privacy: [],
  refusals: [],
  bids: [],
};

const show = (privacy: typeof participant.privacy) =>
  render(
    <ol>
      <ParticipantRow participant={{ ...participant, privacy }} deadlineMs={100} />
    </ol>,
  );

test("a participant shows which personal data was withheld from it", () => {
  const told = "Device id not sent: no consent for vendor 52 to use what is stored on the device (TCF purpose 1)";
  const location = "Precise location not sent: the device limits ad tracking";
  show([
    { rule: "tcf_storage", text: told, fields: ["device.ifa"] },
    { rule: "limit_ad_tracking", text: location, fields: ["device.geo"] },
  ]);
  expect(screen.getByText(told)).toBeTruthy();
  expect(screen.getByText(location)).toBeTruthy();
  expect(screen.getByText("No bid")).toBeTruthy();
});

test("a participant that received everything shows no note", () => {
  const { container } = show([]);
  expect(container.textContent).toContain("No bid");
  expect(container.textContent).not.toContain("not sent");
});
