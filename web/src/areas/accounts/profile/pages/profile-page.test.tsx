import type { Profile } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refused, answerCalls } from "../../../../testing/answer-calls.ts";
import { openProfile } from "../testing/open-profile.tsx";
import { someProfile } from "../testing/some-profile.ts";

afterEach(() => vi.useRealTimers());

const region = (name: string) => screen.findByRole("region", { name });
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

test("a profile that fails to load says so and can be retried", async () => {
  let away = true;
  answerCalls({ "GET /profile.json": () => (away ? refused(503, "The store is away") : someProfile()) });
  await openProfile();
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await click("Try again");
  expect(await screen.findByText("owner@example.com")).toBeTruthy();
});

test("a name is edited in place, saved with Enter, and confirmed for five seconds", async () => {
  const profile = someProfile();
  const sent = answerCalls({
    "GET /profile.json": () => profile,
    "POST /profile/edit.json": ({ body }) => {
      profile.name = (body as { value: string }).value;
      return { message: "Name saved" };
    },
  });
  await openProfile();
  await click("Edit name");
  const input = screen.getByLabelText<HTMLInputElement>("Name");
  expect(document.activeElement).toBe(input);
  expect(input.value).toBe("Ada");
  await userEvent.clear(input);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await userEvent.type(input, "Grace{Enter}");
  expect(await screen.findByText("Name saved")).toBeTruthy();
  expect(sent("POST /profile/edit.json").at(-1)?.body).toEqual({ name: "name", value: "Grace" });
  expect(await screen.findByText("Grace")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit name" }));
  await act(() => vi.advanceTimersByTimeAsync(4500));
  expect(screen.queryByText("Name saved")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(700));
  expect(screen.queryByText("Name saved")).toBeNull();
});

test("an invalid name shows an error under its field and is not sent", async () => {
  const sent = answerCalls({ "GET /profile.json": () => someProfile() });
  await openProfile();
  await click("Edit name");
  const input = screen.getByLabelText("Name");
  for (const [typed, word] of [
    ["", "This field is required"],
    ["a", "Please enter at least 2 characters"],
    ["a".repeat(26), "Please enter no more than 25 characters."],
    ["Ada<script>", "Use latin letters or '-._"],
  ] as const) {
    await userEvent.clear(input);
    if (typed !== "") await userEvent.type(input, typed);
    await click("Save");
    expect(screen.getByText(word)).toBeTruthy();
    expect(input.getAttribute("aria-invalid")).toBe("true");
  }
  expect(sent("POST /profile/edit.json")).toHaveLength(0);
});

test("the server's errors for a name are shown under it, joined", async () => {
  answerCalls({
    "GET /profile.json": () => someProfile(),
    "POST /profile/edit.json": () => refused(400, { name: "Too plain", value: "Too short" }),
  });
  await openProfile();
  await click("Edit name");
  await userEvent.type(screen.getByLabelText("Name"), "x{Enter}");
  expect(await screen.findByText("Too plain; Too short")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Adax");
});

test("Escape leaves a field as it was", async () => {
  const sent = answerCalls({ "GET /profile.json": () => someProfile() });
  await openProfile();
  await click("Edit last name");
  await userEvent.keyboard("Lovelace{Escape}");
  expect(screen.queryByLabelText("Last name")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit last name" }));
  expect(sent("POST /profile/edit.json")).toHaveLength(0);
});

test("the phone accepts a plus and up to 15 digits, and nothing else", async () => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  await openProfile();
  await click("Edit phone");
  await userEvent.keyboard("+1 (555) 0100-200x+9999999999");
  expect(screen.getByLabelText<HTMLInputElement>("Phone").value).toBe("+155501002009999");
  await userEvent.clear(screen.getByLabelText("Phone"));
  await userEvent.keyboard("+123{Enter}");
  expect(screen.getByText("Please enter at least 9 characters")).toBeTruthy();
});

test("changing the password says that a mail was sent", async () => {
  answerCalls({
    "GET /profile.json": () => someProfile(),
    "POST /profile/edit.json": () => ({ message: "We sent a mail to owner@example.com." }),
  });
  await openProfile();
  await click("Edit password");
  await userEvent.keyboard("short");
  await click("Save");
  expect(screen.getByText("Field should contain at least 6 characters")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("New password"), "-enough");
  await click("Save");
  expect(await screen.findByText(/A mail was sent to owner@example.com/)).toBeTruthy();
});

test("the balance alert offers the server's options and never", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ extra: { phone: "", days_left: 3 } }),
    "POST /profile/edit.json": () => ({ message: "Balance alert saved" }),
  });
  await openProfile();
  await click("Edit balance alert");
  const select = screen.getByLabelText<HTMLSelectElement>("Balance alert");
  expect([...select.options].map(({ text }) => text)).toEqual([
    "Never",
    "1 day before it runs out",
    "3 days before it runs out",
    "7 days before it runs out",
  ]);
  expect(select.value).toBe("3");
  await userEvent.selectOptions(select, "7 days before it runs out");
  await click("Save");
  await screen.findByText("Balance alert saved");
  await click("Edit balance alert");
  await userEvent.selectOptions(screen.getByLabelText("Balance alert"), "Never");
  await click("Save");
  await waitFor(() =>
    expect(sent("POST /profile/edit.json").map(({ body }) => body)).toEqual([
      { name: "days_left", value: 7 },
      { name: "days_left", value: null },
    ]),
  );
});

test("alerts say at what balance they come, and how long the balance lasts, once something was spent", async () => {
  answerCalls({
    "GET /profile.json": () =>
      someProfile({
        balance_days_left_available: 12.4,
        balance_days_options: [
          { days: 1, below: 1_250_000 },
          { days: 14, below: 17_500_000 },
        ],
      }),
  });
  await openProfile();
  await click("Edit balance alert");
  const select = screen.getByLabelText<HTMLSelectElement>("Balance alert");
  expect([...select.options].map(({ text }) => text)).toEqual([
    "Never",
    "1 day before it runs out (below $1.25)",
    "14 days before it runs out (below $17.50)",
  ]);
  expect(screen.getByText(/it lasts about 12 days/)).toBeTruthy();
});

test("week start and news are saved when chosen; a refusal says so and changes nothing", async () => {
  const profile = someProfile();
  let refuses = false;
  const sent = answerCalls({
    "GET /profile.json": () => profile,
    "POST /profile/edit.json": ({ body }) => {
      if (refuses) return refused(503, "The store is away");
      const { name, value } = body as { name: "is_subscribed" | "week_start_on_sunday"; value: boolean };
      profile[name] = value;
      return { message: "Saved" };
    },
  });
  await openProfile();
  await click("Sunday");
  await waitFor(() => expect(screen.getByRole("button", { name: "Sunday" }).getAttribute("aria-pressed")).toBe("true"));
  expect(sent("POST /profile/edit.json").at(-1)?.body).toEqual({ name: "week_start_on_sunday", value: true });
  refuses = true;
  await click("Not subscribed");
  expect(await screen.findByText("The store is away")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Subscribed" }).getAttribute("aria-pressed")).toBe("true");
});

test("markup in a name is text", async () => {
  const hostile = `<img src=x onerror="document.title='run'">`;
  answerCalls({ "GET /profile.json": () => someProfile({ name: hostile, surname: hostile }) });
  const { container } = await openProfile();
  expect(await screen.findAllByText(hostile)).toHaveLength(2);
  expect(container.querySelector("img")).toBeNull();
});

test("an access token is created, shown once with its usage, and replaced and revoked after a confirmation", async () => {
  const profile = someProfile();
  let made = 0;
  const sent = answerCalls({
    "GET /profile.json": () => profile,
    "POST /profile/access_token": () => {
      made += 1;
      profile.access_token = { hint: `end${made}`, created_at: "2026-11-19T10:00:00Z", last_used_at: null };
      return { access_token: `mr_secret-end${made}` };
    },
    "DELETE /profile/access_token": () => {
      profile.access_token = null;
      return { ok: 1 };
    },
  });
  await openProfile();
  const block = within(await region("Access token"));
  await userEvent.click(block.getByRole("button", { name: "Create token" }));
  expect(await block.findByRole("button", { name: /mr_secret-end1/ })).toBeTruthy();
  expect(block.getByText(/Authorization: Bearer mr_secret-end1/)).toBeTruthy();

  await userEvent.click(block.getByRole("button", { name: "Replace token" }));
  expect(sent("POST /profile/access_token")).toHaveLength(1);
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Replace token" }));
  expect(await block.findByRole("button", { name: /mr_secret-end2/ })).toBeTruthy();

  await userEvent.click(block.getByRole("button", { name: "Revoke token" }));
  await userEvent.click(
    within(await screen.findByRole("dialog", { name: "Revoke the access token" })).getByRole("button", {
      name: "Revoke token",
    }),
  );
  expect(await block.findByRole("button", { name: "Create token" })).toBeTruthy();
  expect(screen.queryByText(/mr_secret/)).toBeNull();
});

test("a token created earlier shows only its last characters and its last use", async () => {
  const access_token = { hint: "x9Zq", created_at: "2026-11-01T10:00:00Z", last_used_at: "2026-11-19T10:00:00Z" };
  answerCalls({ "GET /profile.json": () => someProfile({ access_token }) });
  await openProfile();
  const block = await region("Access token");
  expect(block.textContent).toContain("Ends in x9Zq, created Nov 1st, 2026, last used Nov 19th, 2026.");
});

test.each([
  ["bind_another_account", "Your user already has another account linked. Please use another account."],
  [
    "bind_another_user",
    "Your account is already linked to another user. Please use another account or unlink before adding.",
  ],
  ["email_not_verify", "Please verify you email before linking."],
  ["anything", "There was an error with your request."],
  ["constructor", "There was an error with your request."],
])("linking that came back with %s says so, and the address is cleared", async (error, sentence) => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  const { router } = await openProfile(`/profile?error=${error}&service=google`);
  expect(await screen.findByText(sentence)).toBeTruthy();
  await waitFor(() => expect(router.state.location.searchStr).toBe(""));
  expect(screen.getByText(sentence)).toBeTruthy();
});

test("an identity provider is linked by a navigation and removed after a confirmation", async () => {
  const accounts: Profile["accounts"] = [
    { service: "google", linked: true, email: "ada@example.com" },
    { service: "facebook", linked: false, email: null },
  ];
  let refuses = true;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ accounts }),
    "POST /profile/google": () => {
      if (refuses) return refused(409, "This is your only way to sign in");
      accounts[0] = { service: "google", linked: false, email: null };
      return { ok: 1 };
    },
  });
  await openProfile();
  const block = within(await region("Additional sign in options"));
  expect(block.getByRole("link", { name: "Link Facebook" }).getAttribute("href")).toBe("/profile/facebook");
  await userEvent.click(block.getByRole("button", { name: "Remove Google" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Remove Google" }));
  expect(await dialog.findByText("This is your only way to sign in")).toBeTruthy();
  refuses = false;
  await userEvent.click(dialog.getByRole("button", { name: "Remove Google" }));
  expect((await block.findByRole("link", { name: "Link Google" })).getAttribute("href")).toBe("/profile/google");
  expect(sent("POST /profile/google").at(-1)?.body).toEqual({ del: 1 });
});
