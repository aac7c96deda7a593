import { type CampaignFields, TEXTS } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { fakeUpload } from "../../../testing/fake-upload.ts";
import {
  ADD,
  EDIT,
  ITEM,
  LOOKUP,
  REGIONS,
  SAVED,
  chosenFile,
  found,
  openAdd,
  openEdit,
  openEditor,
  press,
  save,
  somePng,
} from "../testing/open-form.tsx";
import { openPage } from "../testing/open-page.tsx";
import { IMAGE, UUID } from "../testing/some-campaign.ts";
import { EditCampaignPage } from "../pages/edit-campaign-page.tsx";

const alert = () => screen.getAllByRole("alert").map(({ textContent }) => textContent);
const retype = async (label: string, text: string) => {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

async function findApp() {
  await userEvent.type(screen.getByLabelText("App"), "com.example.tide");
  await press("Find");
  await screen.findByText("com.example.tide");
}

async function addCreative() {
  await openEditor();
  await userEvent.upload(chosenFile(), somePng());
  await screen.findByLabelText("Choose another image");
  await userEvent.type(screen.getByLabelText("Click URL"), "https://shop.example/tide");
  await press("Add");
}

test("a new campaign is entered and sent whole", async () => {
  fakeUpload(() => ({ body: IMAGE }));
  const { router, sent } = await openAdd({ [ADD]: () => SAVED });
  await findApp();
  expect(screen.getByLabelText<HTMLInputElement>("Campaign name").value).toBe("Tide Puzzle");
  await press("Choose countries");
  await userEvent.click(await screen.findByRole("option", { name: "Germany" }));
  await retype("Bid (CPM)", "2.40");
  await retype("Budget in all", "1,000");
  await press("Add a limit");
  await userEvent.type(screen.getByLabelText("Impressions"), "3");
  await userEvent.selectOptions(await screen.findByLabelText("per"), "user");
  await userEvent.selectOptions(screen.getByLabelText("each"), "day");
  await addCreative();
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/campaign"));
  expect(sent(ADD)[0]?.body).toMatchObject({
    name: "Tide Puzzle",
    bundle_id: "com.example.tide",
    store_id: "com.example.tide",
    app_platform: "android",
    site: ITEM.url,
    budget: 1_000_000_000,
    bid: { type: "cpm", value: 2_400_000, daily: 250_000_000 },
    end_date: null,
    start_time: "14:00",
    days: [1, 2, 3, 4, 5, 6, 7],
    geo_type: "in",
    country: ["DE"],
    platform: ["android"],
    limit: [{ impressions: 3, period: "day", per: "user" }],
    creatives: [
      {
        c_id: null,
        format: "image",
        store_id: "com.example.tide",
        click_url: "https://shop.example/tide",
        image_url: IMAGE.url,
      },
    ],
  } satisfies Partial<Record<keyof CampaignFields, unknown>>);
  expect(Object.keys(sent(ADD)[0]?.body as object)).not.toContain("url");
});

test("regions of the chosen countries are chosen, and go with their country", async () => {
  const { sent } = await openEdit({ [EDIT]: () => SAVED });
  await screen.findByText(/^No regions: each country counts as a whole/);
  expect(sent(REGIONS)[0]?.query.get("country")).toBe("DE,US");
  await press("Choose regions");
  await userEvent.click(await screen.findByRole("option", { name: "California (United States)" }));
  await userEvent.click(screen.getByRole("option", { name: "Bayern (Germany)" }));
  expect(screen.getByText(/^In these countries, only requests that name one of the chosen regions count/)).toBeTruthy();
  const words = within(screen.getByRole("region", { name: "What it will do" }));
  expect(words.getByText("In Germany (1 region) and United States (1 region)")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Not in these"));
  expect(screen.getByText(/that name no region are left out too/)).toBeTruthy();
  await press("Remove Germany");
  // Of one country, its name says nothing.
  await press("Remove California");
  expect(document.activeElement).toBe(screen.getByRole("group", { name: "Chosen regions" }));
  await press("Choose regions");
  await userEvent.click(await screen.findByRole("option", { name: "Texas" }));
  await save();
  await waitFor(() => expect(sent(EDIT)).toHaveLength(1));
  expect(sent(EDIT)[0]?.body).toMatchObject({ geo_type: "not_in", country: ["US"], region: ["US-TX"] });
});

test("regions that cannot be loaded say so, and the rest of the form stays", async () => {
  let isAway = true;
  await openEdit({
    [REGIONS]: () => (isAway ? refused(503, "The platform is starting") : { regions: { "US-CA": "California" } }),
  });
  const targeting = within(screen.getByRole("region", { name: "Targeting" }));
  expect(await targeting.findByText(/The platform is starting/)).toBeTruthy();
  isAway = false;
  await userEvent.click(targeting.getByRole("button", { name: "Try again" }));
  expect(await targeting.findByRole("button", { name: "Choose regions" })).toBeTruthy();
});

test("a failed submission marks every field, says so, and goes to the first", async () => {
  const { sent } = await openAdd();
  await retype("Bid (CPM)", "0.1");
  await retype("Starts on", "2020-01-01");
  await userEvent.click(screen.getByLabelText("All versions of iOS"));
  await userEvent.selectOptions(await screen.findByLabelText("Highest iOS"), "15");
  await userEvent.selectOptions(screen.getByLabelText("Lowest iOS"), "16");
  await save();
  expect(alert()).toContain("Please check highlighted fields before submitting");
  for (const message of [
    "Add value in $",
    "Date and time must be after current date",
    "Max version must be higher than min",
    "Choose at least one country",
    "Add at least 1 creative",
  ])
    expect(screen.getAllByText(message).length).toBeGreaterThan(0);
  expect(document.activeElement).toBe(screen.getByLabelText("App"));
  expect(sent(ADD)).toEqual([]);
  // A corrected field loses its message.
  await retype("Bid (CPM)", "0.25");
  expect(screen.queryByText("Add value in $")).toBeNull();
});

test("an app is looked up by address or id only, and the store's answer can be chosen from", async () => {
  const other = {
    ...ITEM,
    id: "ios:1",
    platform: "ios",
    name: "Tide",
    store_id: "389801252",
    bundle_id: "com.example.ios",
  };
  const tv = { ...ITEM, id: "androidtv:1", platform: "androidtv", name: "Tide TV" };
  const { sent } = await openAdd({ [LOOKUP]: () => found([ITEM, other, tv]) });
  await userEvent.type(screen.getByLabelText("App"), "tide{Enter}");
  expect(await screen.findByText("Incorrect url or id")).toBeTruthy();
  expect(sent(LOOKUP)).toEqual([]);
  await userEvent.type(screen.getByLabelText("App"), ".puzzle{Enter}");
  expect(await screen.findAllByRole("radio", { name: /Tide/ })).toHaveLength(2);
  await userEvent.click(screen.getByRole("radio", { name: /iOS/ }));
  expect(await screen.findByText("com.example.ios")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("iPhone").checked).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>("Android").checked).toBe(false);
  // An advertiser may choose devices of both systems, whatever the app's.
  for (const system of ["iOS", "Android"]) expect(screen.getByLabelText(`All versions of ${system}`)).toBeTruthy();
  expect(sent(LOOKUP)[0]?.body).toEqual({ url: "tide.puzzle" });
});

test("a store that is away lets the app be entered by hand", async () => {
  const { sent } = await openAdd({
    [LOOKUP]: () => ({ qid: "q1", status: "unreachable" }),
    [ADD]: () => refused(400, { site: "Not a page" }),
  });
  await userEvent.type(screen.getByLabelText("App"), "id389801252{Enter}");
  expect(await screen.findByText(/The store cannot be reached right now/)).toBeTruthy();
  expect((await screen.findByLabelText<HTMLInputElement>("Store id")).value).toBe("389801252");
  expect(screen.getByLabelText<HTMLInputElement>("iOS").checked).toBe(true);
  await userEvent.type(screen.getByLabelText("Store id"), "!");
  await save();
  expect(screen.getByText("Please enter a valid ID")).toBeTruthy();
  expect(sent(ADD)).toEqual([]);
});

test("the server's errors stand at their fields, and creatives' errors name their store id", async () => {
  const errors = {
    name: "Use another name",
    "bid.value": "Too low today",
    "limit.0.impressions": "Too many",
    "creatives.1.click_url": "Please enter a valid URL",
  };
  const { router } = await openEdit({ [EDIT]: () => refused(400, errors) });
  await save();
  expect(await screen.findByText("com.example.tide: Please enter a valid URL")).toBeTruthy();
  for (const text of ["Use another name", "Too low today", "Too many"]) expect(screen.getByText(text)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Campaign name"));
  await retype("Bid (CPM)", "3");
  expect(screen.queryByText("Too low today")).toBeNull();
  expect(screen.getByText("Too many")).toBeTruthy();
  expect(router.state.location.pathname).toBe(`/campaign/${UUID}/edit`);
});

test("any other refusal stands beside the button, and the input is kept", async () => {
  await openEdit({ [EDIT]: () => refused(409, "This campaign is over") });
  await retype("Campaign name", "Winter");
  await save();
  await waitFor(() => expect(alert()).toContain("This campaign is over"));
  expect(screen.getByLabelText<HTMLInputElement>("Campaign name").value).toBe("Winter");
});

test("a saved campaign shows what it has, in the form and in words", async () => {
  await openEdit();
  expect(screen.getByLabelText<HTMLInputElement>("Bid (CPM)").value).toBe("2.40");
  expect(screen.getByLabelText<HTMLInputElement>("Ends on (optional)").value).toBe("");
  expect(screen.getByLabelText<HTMLInputElement>("Saturday").checked).toBe(false);
  expect(screen.getByLabelText<HTMLInputElement>("Wi-Fi only").checked).toBe(true);
  expect(screen.getByText("Its text cannot be read")).toBeTruthy();
  expect(screen.getByText("Campaign started")).toBeTruthy();
  const words = within(screen.getByRole("region", { name: "What it will do" }));
  expect(words.getByText("Mon to Fri, 08:00 to 20:00 UTC")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Saturday"));
  expect(words.getByText("Mon to Sat, 08:00 to 20:00 UTC")).toBeTruthy();
  expect(screen.getAllByText(/in your time/).length).toBe(2);
});

test("a new campaign can start now, without a date; a saved one keeps its own", async () => {
  fakeUpload(() => ({ body: IMAGE }));
  const replies = [new Response("", { status: 502 }), SAVED];
  const { sent, unmount } = await openAdd({ [ADD]: () => replies.shift() });
  await findApp();
  await press("Choose countries");
  await userEvent.click(await screen.findByRole("option", { name: "Germany" }));
  await userEvent.click(screen.getByLabelText(/^Start now/));
  expect(screen.queryByLabelText("Starts on")).toBeNull();
  expect(await screen.findByText(/^From now on/)).toBeTruthy();
  await addCreative();
  await save();
  await waitFor(() => expect(alert()).toContain(TEXTS.requestFailed));
  await save();
  await waitFor(() => expect(sent(ADD)).toHaveLength(2));
  expect(sent(ADD)[0]?.query.get("start")).toBe("now");
  const keys = sent(ADD).map(({ query }) => query.get("key"));
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  unmount();
  await openEdit();
  expect(screen.queryByLabelText(/^Start now/)).toBeNull();
});

test("a start that was chosen is back once the campaign no longer starts now", async () => {
  await openAdd();
  const date = () => within(screen.getByRole("group", { name: "Start" })).getByLabelText<HTMLInputElement>("Starts on");
  await userEvent.clear(date());
  await userEvent.type(date(), "2031-05-06");
  await userEvent.click(screen.getByLabelText(/^Start now/));
  await userEvent.click(screen.getByLabelText(/^Start now/));
  expect(date().value).toBe("2031-05-06");
});

test("the days from today to five days ahead are offered as dates", async () => {
  await openAdd();
  const { list } = screen.getByLabelText<HTMLInputElement>("Starts on");
  const today = dayOf(Date.now());
  const offered = Array.from(list?.options ?? [], ({ value }) => value);
  expect(offered).toEqual(Array.from({ length: 6 }, (_, days) => addDays(today, days)));
});

test("four limits at most are added, and one can be removed", async () => {
  await openAdd();
  for (let count = 0; count < 4; count += 1) await press("Add a limit");
  expect(screen.queryByRole("button", { name: "Add a limit" })).toBeNull();
  await press("Remove limit 2");
  expect(screen.getAllByLabelText("Impressions")).toHaveLength(3);
});

test("leaving with unsaved changes asks first, and Cancel leads to the campaigns", async () => {
  const { router } = await openEdit();
  await retype("Campaign name", "Winter");
  await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Stay here" }));
  expect(router.state.location.pathname).toBe(`/campaign/${UUID}/edit`);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/campaign"));
});

test("a campaign that does not exist says so", async () => {
  answerCalls({ [`GET /campaign/${UUID}`]: () => refused(404, "Not found") });
  await openPage(() => <EditCampaignPage />, "/campaign/$uuid/edit", `/campaign/${UUID}/edit`);
  expect(await screen.findByText("No campaign found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show my campaigns" })).toBeTruthy();
});
