import { type AppSettings, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { useAppSettings } from "../api.ts";
import { openPage, someSettings, UUID } from "../testing/open-page.tsx";
import { Blocks } from "./blocks.tsx";

const PUT = `PUT /apps/${UUID}/blocks`;

function Page() {
  const { data } = useAppSettings(UUID);
  return data ? <Blocks settings={data} /> : null;
}

/** The settings after a change of the blocks. */
function changed(settings: AppSettings, domains: string[], revision: string): AppSettings {
  const { blocks, revisions } = settings;
  return { ...settings, blocks: { ...blocks, domains }, revisions: { ...revisions, blocks: revision } };
}

test("blocks that somebody has changed meanwhile are not overwritten, and can be reloaded", async () => {
  let now = someSettings();
  const sent = answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => now,
    [PUT]: ({ query, body }) => {
      if (query.get("revision") !== now.revisions.blocks) return refused(409, TEXTS.stale);
      now = changed(now, (body as AppSettings["blocks"]).domains, `${now.revisions.blocks}+`);
      return now;
    },
  });
  await openPage(() => <Page />, { path: "/apps/$uuid/settings", at: `/apps/${UUID}/settings` });
  const domains = await screen.findByLabelText<HTMLTextAreaElement>("Advertiser domains");
  const status = () =>
    within(screen.getByRole("region", { name: "Blocked advertising" })).getByRole("status").textContent;
  const save = () => userEvent.click(screen.getByRole("button", { name: "Save blocks" }));
  await userEvent.type(domains, "\nmine.example");
  now = changed(now, ["theirs.example"], "next");
  await save();
  await screen.findByText(TEXTS.stale);
  expect(domains.value).toBe("shop.example\nmine.example");
  // It stays refused, also once the page knows what is saved.
  await save();
  await waitFor(() => expect(sent(PUT)).toHaveLength(2));
  await screen.findByText(TEXTS.stale);
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(domains.value).toBe("theirs.example"));
  expect(screen.queryByText(TEXTS.stale)).toBeNull();
  for (const domain of ["one", "two"]) {
    await userEvent.type(domains, `\n${domain}.example`);
    await save();
    await waitFor(() => expect(status()).toBe("Saved"));
  }
  expect(sent(PUT).map(({ query }) => query.get("revision"))).toEqual(["a-revision", "a-revision", "next", "next+"]);
});

test("blocks that were saved although the reply was lost are shown as saved", async () => {
  let now = someSettings();
  answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => now,
    [PUT]: ({ body }) => {
      now = changed(now, (body as AppSettings["blocks"]).domains, "next");
      return new Response("", { status: 502 });
    },
  });
  await openPage(() => <Page />, { path: "/apps/$uuid/settings", at: `/apps/${UUID}/settings` });
  await userEvent.type(await screen.findByLabelText("Advertiser domains"), "\nmine.example");
  await userEvent.click(screen.getByRole("button", { name: "Save blocks" }));
  const blocks = within(screen.getByRole("region", { name: "Blocked advertising" }));
  await waitFor(() => expect(blocks.getByRole("status").textContent).toBe("Saved"));
  expect(blocks.getByRole("alert").textContent).toBe("");
});
