import { type Reply, TEXTS, type getInhouse, readInhouseForm } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { fakeUpload } from "../../../testing/fake-upload.ts";
import { press, somePng } from "../testing/open-form.tsx";
import { openPage } from "../testing/open-page.tsx";
import { CHOICES, IMAGE, REVISION, UUID } from "../testing/some-campaign.ts";
import { TIDE, publisher } from "../testing/some-inhouse.ts";
import { AddInhousePage } from "./add-inhouse-page.tsx";
import { EditInhousePage } from "./edit-inhouse-page.tsx";

const CHOOSE = "GET /inhouse/add.json";
const ADD = "POST /inhouse/add";
const EDIT = `POST /inhouse/${UUID}/edit`;
const MOSS = "00000000-0000-4000-8000-000000000042";

const app = { bundle_id: "com.example.tide", url: "https://store.example/tide", logo_url: null };
const apps = [
  { ...app, uuid: TIDE, name: "Tide", platform: "android" as const },
  { ...app, uuid: MOSS, name: "Moss", platform: "ios" as const, bundle_id: "com.example.moss", url: null },
];
const { banners: _banners, ...offered } = CHOICES;
const choices = { apps, ...offered };

const saved: Reply<typeof getInhouse> = {
  ...choices,
  revision: REVISION,
  campaign: {
    uuid: UUID,
    title: "Try Tide",
    desc: "Our puzzle",
    ad_app_id: TIDE,
    app_id: [MOSS],
    price: 1_500_000,
    geo_type: "in",
    country: ["DE"],
    ios: { all: true, min: "12", max: "26" },
    android: { all: true, min: "5", max: "16" },
    status: "active",
    campaign_status: "play",
    status_reason: null,
  },
  creatives: [
    {
      format: "image",
      target_url: "https://tide.example/",
      store_id: "com.example.tide",
      store_country: "US",
      image_l: null,
      image_p: IMAGE,
      video: null,
      video_orientation: "all",
      skip_timer: 5,
      interstitial_waterfall: false,
    },
  ],
};

// Preloads lazy parts, so that no test waits for them.
beforeAll(() =>
  Promise.all([import("./inhouse-creative.tsx"), import("./inhouse-installs.tsx"), import("./inhouse-preview.tsx")]),
);

const formOf = (body: unknown) => readInhouseForm(String(body));

async function openAdd(answers: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [CHOOSE]: () => choices, ...answers });
  const page = await openPage(() => <AddInhousePage />, "/inhouse/add", "/inhouse/add", publisher());
  await screen.findByLabelText("Title");
  await screen.findByText("Creative");
  return { ...page, sent };
}

test("an empty form says what is missing of each field", async () => {
  const { sent } = await openAdd();
  await press("Save campaign");
  expect(screen.getByText("Please check highlighted fields before submitting")).toBeTruthy();
  expect(screen.getAllByText("This field is required")).toHaveLength(5);
  for (const message of ["Add at least 1 application", "At least 1 image is required", "Please enter a valid URL"])
    expect(screen.getByText(message)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Cancel" }).getAttribute("href")).toBe("/inhouse");
  expect(sent(ADD)).toEqual([]);
});

test("a removed image gives the focus to the field that takes another one", async () => {
  fakeUpload(() => ({ body: IMAGE }));
  await openAdd();
  await userEvent.upload(screen.getByLabelText("Choose a landscape image, or drop it here"), somePng());
  await userEvent.click(await screen.findByText("Remove the landscape image"));
  expect(document.activeElement).toBe(screen.getByLabelText("Choose a landscape image, or drop it here"));
});

test("a new campaign follows its app, and is sent as a form", async () => {
  const uploads = fakeUpload(() => ({ body: IMAGE }));
  const replies = [new Response("", { status: 502 }), { uuid: UUID, redirect_to: "/inhouse" }];
  const { router, sent } = await openAdd({ [ADD]: () => replies.shift() });
  await userEvent.selectOptions(screen.getByLabelText("App"), TIDE);
  expect(screen.getByLabelText("Store id")).toHaveProperty("value", "com.example.tide");
  expect(screen.getByLabelText("Target URL")).toHaveProperty("value", "https://store.example/tide");
  await userEvent.type(screen.getByLabelText("Title"), "Try Tide & more");
  await userEvent.type(screen.getByLabelText("Description"), "Our puzzle");
  await userEvent.selectOptions(screen.getByLabelText("Store country"), "US");
  await userEvent.click(screen.getByLabelText("Moss · iOS"));
  // Of the chosen app's platform alone.
  expect(screen.getByLabelText("All versions of iOS")).toBeTruthy();
  expect(screen.queryByLabelText("All versions of Android")).toBeNull();
  await userEvent.type(screen.getByLabelText(/Compete at/), "1.50");
  await userEvent.upload(screen.getByLabelText("Choose a landscape image, or drop it here"), somePng());
  await screen.findByText("Remove the landscape image");
  expect(uploads[0]?.path).toBe("/inhouse/upload");
  await press("Save campaign");
  await screen.findByText(TEXTS.requestFailed);
  await press("Save campaign");
  await waitFor(() => expect(router.state.location.pathname).toBe("/inhouse"));
  expect(formOf(sent(ADD)[0]?.body)).toMatchObject({
    title: "Try Tide & more",
    ad_app_id: TIDE,
    app_id: [MOSS],
    price: 1_500_000,
    geo_type: "not_in",
    image_l: IMAGE.url,
    image_p: "",
    store_country: "US",
    ios: { all: true },
  });
  const keys = sent(ADD).map(({ query }) => query.get("key"));
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
});

test("the files load once the form is begun, and then say what they lack", async () => {
  const NothingIsNear = class {
    observe() {}
    disconnect() {}
  };
  vi.stubGlobal("IntersectionObserver", NothingIsNear);
  await openAdd();
  expect(screen.queryByLabelText("Choose a portrait image, or drop it here")).toBeNull();
  await press("Save campaign");
  expect(await screen.findByLabelText("Choose a portrait image, or drop it here")).toBeTruthy();
  expect(screen.getByText(TEXTS.addImage)).toBeTruthy();
  expect(screen.getByText(TEXTS.checkFields)).toBeTruthy();
});

test("a video is asked for, uploaded and shown, with where it is played and when it is skipped", async () => {
  const facts = { type: "video/mp4", duration_ms: 15_000, bitrate_kbps: 900, codecs: "H.264, AAC", plays: true };
  const uploads = fakeUpload(() => ({ body: { ...IMAGE, url: "/files/a.mp4", video: facts } }));
  const { sent } = await openAdd({ [ADD]: () => ({ uuid: UUID }) });
  await userEvent.click(screen.getByLabelText(/^Video/));
  await press("Save campaign");
  expect(within(screen.getByRole("group", { name: "Video" })).getByText("This field is required")).toBeTruthy();
  const film = new File(["film"], "a.mp4", { type: "video/mp4" });
  await userEvent.upload(screen.getByLabelText("Choose a video, or drop it here"), film);
  await screen.findByText("Remove the video");
  expect(uploads.map(({ path }) => path)).toEqual(["/inhouse/upload?kind=video"]);
  expect(screen.getByLabelText("On a portrait screen: 320 × 480 pixels")).toBeTruthy();
  expect(screen.getByLabelText("On a landscape screen: 320 × 480 pixels")).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Played on"), "portrait");
  expect(screen.queryByLabelText("On a landscape screen: 320 × 480 pixels")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(/^Skip/), "10");
  const words = within(screen.getByRole("complementary", { name: "What the campaign will do" }));
  expect(
    words.getByText("In video and rewarded places, on portrait screens, skipped after 10 s at the earliest"),
  ).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Show the images in interstitials that nobody bought"));
  expect(words.getByText("In interstitials that nobody bought")).toBeTruthy();
  // Who wants the reward watches the whole video.
  await userEvent.click(screen.getByLabelText(/^Reward/));
  expect(screen.queryByLabelText(/^Skip/)).toBeNull();
  expect(words.getByText("In rewarded places, on portrait screens, watched to its end")).toBeTruthy();

  await userEvent.upload(screen.getByLabelText("Choose a portrait image, or drop it here"), somePng());
  await userEvent.selectOptions(screen.getByLabelText("App"), TIDE);
  for (const field of ["Title", "Description"]) await userEvent.type(screen.getByLabelText(field), "Tide");
  await userEvent.selectOptions(screen.getByLabelText("Store country"), "US");
  await userEvent.click(screen.getByLabelText("Moss · iOS"));
  await press("Save campaign");
  await waitFor(() => expect(sent(ADD)).toHaveLength(1));
  expect(formOf(sent(ADD)[0]?.body)).toMatchObject({
    format: "reward",
    video: "/files/a.mp4",
    video_orientation: "portrait",
    skip_timer: 10,
    interstitial_waterfall: true,
  });
});

test("a saved campaign shows where its installs are reported", async () => {
  const measurement = {
    postback_url: "https://ads.example.com/postback/1",
    secret_since: "2026-11-01T00:00:00Z",
    postbacks: [],
    counts: { accepted: 3 },
  };
  const sent = answerCalls({
    [`GET /inhouse/${UUID}/edit.json`]: () => saved,
    [`GET /inhouse/${UUID}/measurement.json`]: () => measurement,
    [`POST /inhouse/${UUID}/postback/test`]: () => ({ ok: 1 }),
    "POST /inhouse/postback_secret": () => ({ id: UUID, secret: "n3w" }),
  });
  await openPage(() => <EditInhousePage />, "/inhouse/$uuid/edit", `/inhouse/${UUID}/edit`, publisher());
  expect(await screen.findByText(/postback\/1\?.*secret=…/)).toBeTruthy();
  expect(screen.getByRole("list", { name: "Postbacks of the last 30 days" }).textContent).toContain("3 Accepted");
  await press("Send a test postback");
  expect(await screen.findByText(/The test postback was accepted/)).toBeTruthy();
  await press("Replace the secret");
  const dialog = within(await screen.findByRole("dialog", { name: "Replace the secret?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Replace the secret" }));
  expect(await screen.findByText(/secret=n3w$/)).toBeTruthy();
  expect(sent("POST /inhouse/postback_secret")).toHaveLength(1);
});

test("a saved campaign is edited, and the server's errors stand at their fields", async () => {
  let answer: unknown = refused(400, { app_id: "Choose your apps only" });
  const sent = answerCalls({ [`GET /inhouse/${UUID}/edit.json`]: () => saved, [EDIT]: () => answer });
  const { router } = await openPage(
    () => <EditInhousePage />,
    "/inhouse/$uuid/edit",
    `/inhouse/${UUID}/edit`,
    publisher(),
  );
  const price = await screen.findByLabelText(/Compete at/);
  expect(price).toHaveProperty("value", "1.50");
  await userEvent.clear(price);
  await press("Save campaign");
  expect(await screen.findByText("Choose your apps only")).toBeTruthy();
  answer = { uuid: UUID };
  await press("Save campaign");
  await waitFor(() => expect(router.state.location.pathname).toBe("/inhouse"));
  expect(formOf(sent(EDIT).at(-1)?.body)).toMatchObject({ price: 0, country: ["DE"], image_p: IMAGE.url });
});

test("a campaign that somebody has changed meanwhile is not overwritten, and can be reloaded", async () => {
  let now = saved;
  const sent = answerCalls({
    [`GET /inhouse/${UUID}/edit.json`]: () => now,
    [EDIT]: ({ query }) => (query.get("revision") === now.revision ? { uuid: UUID } : refused(409, TEXTS.stale)),
  });
  const { router } = await openPage(
    () => <EditInhousePage />,
    "/inhouse/$uuid/edit",
    `/inhouse/${UUID}/edit`,
    publisher(),
  );
  await userEvent.type(await screen.findByLabelText("Title"), " today");
  now = { ...saved, revision: "next", campaign: { ...saved.campaign, price: 3_000_000 } };
  await press("Save campaign");
  expect(await screen.findByText(TEXTS.stale)).toBeTruthy();
  expect(screen.getByLabelText("Title")).toHaveProperty("value", "Try Tide today");
  await press("Reload");
  await waitFor(() => expect(screen.getByLabelText(/Compete at/)).toHaveProperty("value", "3.00"));
  expect(screen.getByLabelText("Title")).toHaveProperty("value", "Try Tide");
  await press("Save campaign");
  await waitFor(() => expect(router.state.location.pathname).toBe("/inhouse"));
  expect(sent(EDIT).map(({ query }) => query.get("revision"))).toEqual([REVISION, "next"]);
});

test("a campaign that is gone is said to be missing", async () => {
  answerCalls({ [`GET /inhouse/${UUID}/edit.json`]: () => refused(404, "There is no such in-house campaign") });
  await openPage(() => <EditInhousePage />, "/inhouse/$uuid/edit", `/inhouse/${UUID}/edit`, publisher());
  expect(await screen.findByRole("link", { name: "Show my cross promotions" })).toBeTruthy();
});
