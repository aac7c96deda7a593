import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePartner } from "../testing/some-partner.ts";
import { AdminPartnerPage } from "./admin-partner-page.tsx";

const openOne = (at = "/admin/partners/xandr") => renderPage(() => <AdminPartnerPage />, "/admin/partners/$id", at);
const NONE_PAUSED = { "GET /admin/partner_breakers.json": () => ({ paused: [] }) };
const region = async (name: string) => within(await screen.findByRole("region", { name }));

test("each chosen region has its own endpoint field with its own error, and at least one region is required", async () => {
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => somePartner(),
    "PUT /admin/partners/xandr": ({ body }) =>
      JSON.stringify(body).includes("10.0.0.1")
        ? refused(400, { "region_endpoints.apac": "This address is in a private network" })
        : somePartner(),
    ...NONE_PAUSED,
  });
  await openOne();
  const settings = await region("Settings");
  const chosen = within(await settings.findByRole("group", { name: "Asked for devices in" }));
  expect(settings.getByLabelText<HTMLInputElement>("Endpoint: Europe, Middle East, Africa").value).toBe(
    "https://eu.bids.example/openrtb2",
  );
  expect(settings.queryByLabelText("Endpoint: Asia-Pacific")).toBeNull();
  await userEvent.click(chosen.getByLabelText("Asia-Pacific"));
  await userEvent.type(settings.getByLabelText("Endpoint: Asia-Pacific"), "http://10.0.0.1/bid");
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await settings.findByText("This address is in a private network")).toBeTruthy();
  for (const name of ["Americas", "Europe, Middle East, Africa", "Asia-Pacific"]) {
    await userEvent.click(chosen.getByLabelText(name));
  }
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await settings.findByText("Choose at least one")).toBeTruthy();
  await userEvent.click(chosen.getByLabelText("Europe, Middle East, Africa"));
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/Xandr is saved/)).toBeTruthy();
  expect(sent("PUT /admin/partners/xandr").at(-1)?.body).toMatchObject({
    regions: ["emea"],
    region_endpoints: { emea: "https://eu.bids.example/openrtb2" },
  });
});

test("a test request is sent to the endpoint of the chosen region; with one endpoint there is no choice", async () => {
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => somePartner(),
    "GET /admin/partners/plain.json": () =>
      somePartner({ id: "plain", settings: { ...somePartner().settings, region_endpoints: {} } }),
    "POST /admin/partners/xandr/test": () => ({ calls: [], refused: "It is not asked for banner" }),
    ...NONE_PAUSED,
  });
  await openOne();
  const block = await region("Test request");
  await userEvent.type(await block.findByLabelText("Placement *"), "7");
  const target = block.getByLabelText("Sent to");
  await userEvent.selectOptions(target, "Endpoint: Europe, Middle East, Africa");
  await userEvent.click(block.getByRole("button", { name: "Send a test request" }));
  await block.findByText(/Nothing was sent/);
  await userEvent.selectOptions(target, "Main endpoint");
  await userEvent.click(block.getByRole("button", { name: "Send a test request" }));
  await waitFor(() => expect(sent("POST /admin/partners/xandr/test")).toHaveLength(2));
  expect(sent("POST /admin/partners/xandr/test").map(({ body }) => (body as { region?: string }).region)).toEqual([
    "emea",
    undefined,
  ]);
  cleanup();
  await openOne("/admin/partners/plain");
  const plain = await region("Test request");
  await plain.findByLabelText("Placement *");
  expect(plain.queryByLabelText("Sent to")).toBeNull();
});

test("what the settings do not offer any more is not sent, though it was chosen before", async () => {
  const { settings } = somePartner();
  const after = somePartner({ settings: { ...settings, media_types: ["video"], region_endpoints: {} } });
  let saved = somePartner();
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => saved,
    "PUT /admin/partners/xandr": () => (saved = after),
    "POST /admin/partners/xandr/test": () => ({ calls: [], refused: "It is not asked for banner" }),
    ...NONE_PAUSED,
  });
  await openOne();
  const block = await region("Test request");
  await userEvent.type(await block.findByLabelText("Placement *"), "7");
  await userEvent.selectOptions(block.getByLabelText("Sent to"), "Endpoint: Europe, Middle East, Africa");
  const form = await region("Settings");
  await userEvent.clear(form.getByLabelText("Endpoint: Europe, Middle East, Africa"));
  await userEvent.click(form.getByLabelText("banner"));
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(block.queryByLabelText("Sent to")).toBeNull());
  expect(block.getByLabelText<HTMLSelectElement>("Place for").value).toBe("video");
  await userEvent.click(block.getByRole("button", { name: "Send a test request" }));
  await block.findByText(/Nothing was sent/);
  expect(sent("POST /admin/partners/xandr/test").map(({ body }) => body)).toEqual([
    { media_type: "video", keys: { placement_id: 7 } },
  ]);
});
