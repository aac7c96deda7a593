import { FORMAT_LABELS } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../../testing/answer-calls.ts";
import { openTeam } from "../../profile/testing/open-profile.tsx";
import { GUEST, INVITED, MANAGER, someProfile } from "../../profile/testing/some-profile.ts";

const THOUSAND = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [String(n + 1), `App ${n + 1}`]));
const filters = (apps: Record<string, string>) => ({
  dates: { ds: "2026-11-18", de: "2026-11-19", min: "2015-03-30", max: "2026-11-19" },
  search: "",
  providers: {},
  formats: FORMAT_LABELS,
  countries: {},
  apps,
  first_day: null,
  first_days: {},
});
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("a person is invited for one app of a thousand, found by its name", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile(),
    "GET /apps/dash_filters.json": () => filters(THOUSAND),
    "POST /profile/guest/invite": () => ({ ...INVITED, app_ids: [777] }),
  });
  await openTeam();
  await userEvent.click(await screen.findByRole("button", { name: "Invite by e-mail" }));
  const form = await dialog("Invite by e-mail");
  await userEvent.type(form.getByLabelText("Email"), INVITED.email);
  await userEvent.type(form.getByLabelText("Name"), "Dee");
  await userEvent.selectOptions(form.getByLabelText("Role"), "Developer");
  await userEvent.click(await form.findByLabelText(/^Chosen apps/));
  await userEvent.click(form.getByRole("button", { name: "Invite" }));
  expect(form.getByText("Please choose at least one app")).toBeTruthy();
  expect(sent("POST /profile/guest/invite")).toHaveLength(0);
  await userEvent.click(form.getByRole("button", { name: "Choose apps" }));
  await userEvent.type(await form.findByLabelText("Search apps"), "app 777{ArrowDown}{Enter}{Escape}");
  expect(form.getByRole("button", { name: /^apps: ?App 777$/ })).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Invite" }));
  expect(sent("POST /profile/guest/invite").at(-1)?.body).toMatchObject({ app_ids: [777] });
});

test("the list names a person's apps, counts more than two, and says so of deleted ones", async () => {
  answerCalls({
    "GET /profile.json": () =>
      someProfile({
        sub_users: [
          { ...GUEST, app_ids: [2] },
          { ...INVITED, app_ids: [1, 2, 3] },
        ],
        managers: [{ ...MANAGER, app_ids: [] }],
      }),
    "GET /apps/dash_filters.json": () => filters({ 1: "Tide", 2: "Chess", 3: "Word" }),
  });
  await openTeam();
  expect(await screen.findByText("Chess")).toBeTruthy();
  expect((await screen.findByText("3 apps")).title).toBe("Chess, Tide, Word");
  expect(screen.getByText("None: they were deleted")).toBeTruthy();
});

test("all apps can be given back", async () => {
  const edit = `POST /profile/guest/${GUEST.uuid}/edit`;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users: [{ ...GUEST, app_ids: [1] }] }),
    "GET /apps/dash_filters.json": () => filters({ 1: "Tide" }),
    [edit]: () => GUEST,
  });
  await openTeam();
  await userEvent.click(await screen.findByRole("button", { name: `Edit ${GUEST.email}` }));
  const form = await dialog("Edit sub-user");
  expect(await form.findByRole("button", { name: /^apps: ?Tide$/ })).toBeTruthy();
  await userEvent.click(form.getByLabelText(/^All apps/));
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  expect(sent(edit).at(-1)?.body).toEqual({ name: GUEST.name, app_ids: null });
});
