import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { AddCampaignPage } from "../pages/add-campaign-page.tsx";
import { EditCampaignPage } from "../pages/edit-campaign-page.tsx";
import { openPage } from "./open-page.tsx";
import { CHOICES, REVISION, UUID, someCampaign, someList } from "./some-campaign.ts";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() =>
  Promise.all([
    import("../form/creative-editor.tsx"),
    import("../form/creative-table.tsx"),
    import("../form/measurement-fields.tsx"),
    import("../form/reach.tsx"),
    import("../form/regions.tsx"),
    import("../parts/spending.tsx"),
  ]),
);

export const ADD = "POST /campaign/add";
export const EDIT = `POST /campaign/${UUID}`;
export const LOOKUP = "POST /campaign/app_info";
export const REGIONS = "GET /campaign/regions.json";
export const SAVED = { uuid: UUID, redirect_to: "/campaign" };

const someRegions = () => ({
  regions: { "DE-BY": "Bayern", "US-CA": "California", "DE-HH": "Hamburg", "US-TX": "Texas" },
});

/** An app in its store. */
export const ITEM = {
  id: "android:com.example.tide",
  platform: "android",
  name: "Tide Puzzle",
  logo_url: null,
  url: "https://play.google.com/store/apps/details?id=com.example.tide",
  store_id: "com.example.tide",
  bundle_id: "com.example.tide",
};

export const found = (items = [ITEM]) => ({ qid: "q1", status: "done", items });

type Answers = Parameters<typeof answerCalls>[0];

/** Opens the form of a new campaign. */
export async function openAdd(answers: Answers = {}) {
  const sent = answerCalls({
    "GET /campaign": () => someList([]),
    [REGIONS]: someRegions,
    [LOOKUP]: () => found(),
    ...answers,
  });
  const page = await openPage(() => <AddCampaignPage />, "/campaign/add");
  await screen.findByLabelText("Campaign name");
  return { ...page, sent };
}

/** Opens the form of a saved campaign. */
export async function openEdit(answers: Answers = {}) {
  const sent = answerCalls({
    [`GET /campaign/${UUID}`]: () => ({ revision: REVISION, campaign: someCampaign(), ...CHOICES }),
    [REGIONS]: someRegions,
    ...answers,
  });
  const page = await openPage(() => <EditCampaignPage />, "/campaign/$uuid/edit", `/campaign/${UUID}/edit`);
  // The last parts that load, with the creatives and the reach.
  await screen.findByRole("table", { name: "Creatives of the campaign" });
  await waitFor(() => expect(screen.queryByText(/Choose a bid, days, countries/)).toBeNull());
  return { ...page, sent };
}

export const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
export const save = () => press("Save campaign");

/** Opens the editor of a new creative. */
export async function openEditor() {
  await press("Add a creative");
  await screen.findByRole("group", { name: "New creative" });
}
export const chosenFile = () => screen.getByLabelText("Choose an image, or drop it here");
export const somePng = (name = "a.png") => new File(["abc"], name, { type: "image/png" });
