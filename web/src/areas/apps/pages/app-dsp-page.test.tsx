import { type FirstSteps, NO_KEYS, type RtbExt, TEXTS, partnerAddFailedText } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { UUID, openPage, someApp } from "../testing/open-page.tsx";
import { AppDspPage } from "./app-dsp-page.tsx";

const ENTRY = `/apps/${UUID}/rtbext`;
const dsp = (keys: RtbExt["keys"] = {}): RtbExt => ({
  schemas: {
    alpha: {
      dsp_name: "Alpha",
      formats: ["video", "banner"],
      is_test: false,
      keys_schema: {
        type: "object",
        title: "Alpha",
        required: ["placement", "share"],
        properties: {
          placement: { type: "integer", title: "Placement", description: "From your account" },
          share: { type: "number", title: "Share" },
          zones: { type: "array", title: "Zones", items: { type: "integer" } },
          region: { type: "string", title: "Region", enum: ["eu", "us"] },
          test: { type: "boolean", title: "Test mode" },
        },
      },
    },
    beta: {
      dsp_name: "Beta",
      formats: ["banner"],
      is_test: false,
      keys_schema: { type: "object", title: "Beta", required: [], properties: {} },
    },
  },
  keys,
  app: someApp({ platform: "roku" }),
});

async function open(reply: RtbExt, more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [`GET ${ENTRY}`]: () => reply, ...more });
  await openPage(() => <AppDspPage />, { path: "/apps/$uuid/dsp", at: `/apps/${UUID}/dsp` });
  return sent;
}
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("without partners on the platform, the page says who adds them", async () => {
  await open({ ...dsp(), schemas: {} });
  expect(await screen.findByText("No partners found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "contact support" }).getAttribute("href")).toBe("/support");
  expect(screen.queryByRole("button", { name: "Add keys" })).toBeNull();
});

test("in the demo, an app without keys can be connected to its partners at once", async () => {
  const session = someSession({ demo: { running: true, history_progress: 1 } });
  let reply = dsp();
  const sent = answerCalls({
    [`GET ${ENTRY}`]: () => reply,
    [`POST /apps/${UUID}/demo_partners`]: () => {
      reply = dsp({ beta: { banner: {} } });
      return {
        steps: [],
        moderation: "live",
        is_sample: false,
        partners_available: 2,
        has_demo_partners: true,
        not_counted: 0,
        has_site: false,
      } satisfies FirstSteps;
    },
  });
  await openPage(() => <AppDspPage />, { path: "/apps/$uuid/dsp", at: `/apps/${UUID}/dsp`, session });
  await userEvent.click(await screen.findByRole("button", { name: "Connect the demo's partners" }));
  expect(await screen.findByText("Beta")).toBeTruthy();
  expect(sent(`POST /apps/${UUID}/demo_partners`)).toHaveLength(1);
});

test("keys of the demo's test bidders are folded, and new ones cannot be added", async () => {
  const reply = dsp({ alpha: { video: { placement: 7, share: 0.5 } }, crooked: { banner: {} } });
  const crooked = { dsp_name: "Crooked", formats: ["banner" as const], is_test: true };
  reply.schemas["crooked"] = { ...crooked, keys_schema: { type: "object", title: "", required: [], properties: {} } };
  await open(reply);
  const fold = (await screen.findByText("Test bidders")).closest("details");
  expect(fold?.open).toBe(false);
  expect(within(fold!).getByText("Crooked")).toBeTruthy();
  expect(within(screen.getByRole("table", { name: "Keys of the app" })).queryByText("Crooked")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Add keys" }));
  const partners = within((await dialog("Add keys")).getByLabelText("Partner *")).getAllByRole("option", {
    hidden: true,
  });
  expect(partners.map(({ textContent }) => textContent)).not.toContain("Crooked");
});

test("the form is rendered from the partner's schema, validates it, and sends each key in its type", async () => {
  const saved = dsp({ alpha: { video: { placement: 7, share: 0.5, zones: [1, 2], region: "us", test: true } } });
  const sent = await open(dsp(), { [`PUT ${ENTRY}/alpha/video`]: () => saved });
  expect(await screen.findByText("No keys found")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Add keys" }));
  const modal = await dialog("Add keys");
  const press = () => userEvent.click(modal.getByRole("button", { name: "Add keys" }));
  await press();
  expect(modal.getAllByText("This field is required").length).toBe(2);
  await userEvent.selectOptions(modal.getByLabelText("Partner *"), "alpha");
  await press();
  expect(modal.getAllByText("This field is required").length).toBe(3);
  await userEvent.selectOptions(modal.getByLabelText("Format *"), "video");
  await userEvent.type(modal.getByLabelText("Placement *"), "1.5");
  await userEvent.type(modal.getByLabelText("Share *"), "half");
  await userEvent.type(modal.getByLabelText("Zones"), "1;2");
  await press();
  expect(modal.getByText("Field must be an integer")).toBeTruthy();
  expect(modal.getByText("Field must be a number")).toBeTruthy();
  expect(modal.getByText("Field must contain comma separated value list")).toBeTruthy();
  expect(sent(`PUT ${ENTRY}/alpha/video`).length).toBe(0);
  for (const [label, text] of [
    ["Placement *", "7"],
    ["Share *", "0.5"],
    ["Zones", " 1, 2 "],
  ] as const) {
    await userEvent.clear(modal.getByLabelText(label));
    await userEvent.type(modal.getByLabelText(label), text);
  }
  await userEvent.selectOptions(modal.getByLabelText("Region"), "us");
  await userEvent.click(modal.getByLabelText("Test mode"));
  await press();
  expect(await screen.findByText("The keys of Alpha are saved")).toBeTruthy();
  expect(sent(`PUT ${ENTRY}/alpha/video`)[0]?.body).toEqual({
    placement: 7,
    share: 0.5,
    zones: [1, 2],
    region: "us",
    test: true,
  });
  expect(screen.getByRole("row", { name: /Alpha Video/ }).textContent).toContain("1, 2");
});

test("for a partner without keys an empty object is sent, and its only format is preselected", async () => {
  const sent = await open(dsp(), { [`PUT ${ENTRY}/beta/banner`]: () => dsp({ beta: { banner: {} } }) });
  await userEvent.click(await screen.findByRole("button", { name: "Add keys" }));
  const modal = await dialog("Add keys");
  await userEvent.selectOptions(modal.getByLabelText("Partner *"), "beta");
  expect(modal.getByLabelText<HTMLSelectElement>("Format *").value).toBe("banner");
  await userEvent.click(modal.getByRole("button", { name: "Add keys" }));
  await waitFor(() => expect(sent(`PUT ${ENTRY}/beta/banner`)[0]?.body).toEqual({}));
  expect(sent(`PUT ${ENTRY}/beta/banner`)[0]?.query.get("revision")).toBe(NO_KEYS);
});

test("a failure mentions ad blockers", async () => {
  await open(dsp(), { [`PUT ${ENTRY}/beta/banner`]: () => new Response("", { status: 403 }) });
  await userEvent.click(await screen.findByRole("button", { name: "Add keys" }));
  const modal = await dialog("Add keys");
  await userEvent.selectOptions(modal.getByLabelText("Partner *"), "beta");
  await userEvent.click(modal.getByRole("button", { name: "Add keys" }));
  await waitFor(() => expect(modal.getByRole("alert").textContent).toBe(partnerAddFailedText("Beta")));
});

test("the server's error for a key is shown under it", async () => {
  const keys = { placement: 7, share: 1, test: false };
  await open(dsp({ alpha: { banner: keys } }), {
    [`PUT ${ENTRY}/alpha/banner`]: () => refused(400, { placement: "This field must be at least 10" }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Alpha, Banner" }));
  const modal = await dialog("Edit keys");
  expect(modal.getByLabelText<HTMLSelectElement>("Partner *").disabled).toBe(true);
  expect(modal.getByLabelText<HTMLInputElement>("Placement *").value).toBe("7");
  await userEvent.click(modal.getByRole("button", { name: "Save keys" }));
  expect(await modal.findByText("This field must be at least 10")).toBeTruthy();
  expect(modal.getByLabelText("Placement *").getAttribute("aria-invalid")).toBe("true");
});

test("keys that somebody has changed meanwhile are not replaced, and can be loaded again", async () => {
  let reply = { ...dsp({ alpha: { banner: { placement: 7, share: 1 } } }), revisions: { alpha: { banner: "before" } } };
  const sent = await open(reply, {
    [`GET ${ENTRY}`]: () => reply,
    [`PUT ${ENTRY}/alpha/banner`]: () => refused(409, TEXTS.stale),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Alpha, Banner" }));
  const modal = await dialog("Edit keys");
  await userEvent.clear(modal.getByLabelText("Share *"));
  await userEvent.type(modal.getByLabelText("Share *"), "2");
  reply = { ...dsp({ alpha: { banner: { placement: 8, share: 1 } } }), revisions: { alpha: { banner: "after" } } };
  await userEvent.click(modal.getByRole("button", { name: "Save keys" }));
  await waitFor(() => expect(modal.getByRole("alert").textContent).toBe(TEXTS.stale));
  expect(sent(`PUT ${ENTRY}/alpha/banner`)[0]?.query.get("revision")).toBe("before");
  expect(modal.getByLabelText<HTMLInputElement>("Share *").value).toBe("2");
  await userEvent.click(modal.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(modal.getByLabelText<HTMLInputElement>("Placement *").value).toBe("8"));
  expect(modal.getByLabelText<HTMLInputElement>("Share *").value).toBe("1");
});

test("existing keys are edited, not added again", async () => {
  await open(dsp({ beta: { banner: {} } }));
  await userEvent.click(await screen.findByRole("button", { name: "Add keys" }));
  const modal = await dialog("Add keys");
  await userEvent.selectOptions(modal.getByLabelText("Partner *"), "beta");
  await userEvent.click(modal.getByRole("button", { name: "Add keys" }));
  expect(modal.getByText("This app has keys here already. Edit them in the list")).toBeTruthy();
});

test("keys are deleted after a confirmation, which shows a failure", async () => {
  let fails = true;
  const sent = await open(dsp({ beta: { banner: {} } }), {
    [`DELETE ${ENTRY}/beta/banner`]: () => (fails ? refused(503, "Later, please") : dsp()),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Delete Beta, Banner" }));
  const modal = await dialog("Delete keys?");
  expect(modal.getByRole("button", { name: "Cancel" })).toBeTruthy();
  await userEvent.click(modal.getByRole("button", { name: "Delete keys" }));
  expect(await modal.findByText("Later, please")).toBeTruthy();
  fails = false;
  await userEvent.click(modal.getByRole("button", { name: "Delete keys" }));
  expect(await screen.findByText("No keys found")).toBeTruthy();
  expect(sent(`DELETE ${ENTRY}/beta/banner`).length).toBe(2);
});
