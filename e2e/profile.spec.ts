import { readFile } from "node:fs/promises";
import { TEXTS, type Profile, type Session } from "@millrace/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { authenticatorCode } from "./support/authenticator-code.ts";
import { hasFocus } from "./support/has-focus.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { mailedLink } from "./support/mailed-link.ts";
import { type NewPerson, newPerson, signedIn } from "./support/new-person.ts";
import { LOOKS, axeFindings, overflowOf, visitor } from "./support/people.ts";

/** Axe looks at a page for seconds, and at several in a test. */
const LOOKING_MS = 150_000;

const platform = inject("platform");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The profile page of somebody new, gone after the test. */
async function atProfile(run: (page: Page, person: NewPerson) => Promise<void>): Promise<void> {
  const person = await newPerson(browser, platform);
  try {
    const page = await person.context.newPage();
    await page.goto("/profile");
    await page.getByRole("button", { name: "Edit name" }).waitFor();
    await run(page, person);
  } finally {
    await person.context.close();
  }
}
const block = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const inDialog = (page: Page, button: string) => page.getByRole("dialog").getByRole("button", { name: button });
const profileOf = async ({ request }: BrowserContext) => (await (await request.get("/profile.json")).json()) as Profile;
const sessionStatus = async ({ request }: BrowserContext) => (await request.get("/session.json")).status();

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

test("settings are edited by keyboard, confirmed for five seconds, and stay", async () => {
  await atProfile(async (page, { context, email }) => {
    await page.getByRole("button", { name: "Edit name" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Grace Hopper");
    await page.keyboard.press("Enter");
    await page.getByText("Name saved").waitFor();
    await hasFocus(page.getByRole("button", { name: "Edit name" }));
    const saidAtMs = Date.now();
    await page.getByText("Name saved").waitFor({ state: "detached" });
    expect(Date.now() - saidAtMs).toBeGreaterThan(3500);
    expect(Date.now() - saidAtMs).toBeLessThan(7000);
    // The frame of the page follows.
    await page.getByRole("navigation", { name: "Main" }).first().getByText("Grace Hopper").waitFor();

    await page.getByRole("button", { name: "Edit phone" }).click();
    await page.keyboard.type("+1 (555) 0100200");
    await page.keyboard.press("Enter");
    await page.getByText("Phone saved").waitFor();
    await page.getByRole("button", { name: "Sunday" }).click();
    await page.getByText("Week start saved").waitFor();
    await page.getByRole("button", { name: "Not subscribed" }).click();
    await page.getByText("News subscription saved").waitFor();
    await page.getByRole("button", { name: "Edit balance alert" }).click();
    await page.getByLabel("Balance alert").selectOption("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Balance alert saved").waitFor();

    await page.reload();
    await page.getByText("+15550100200").waitFor();
    await page.getByText("7 days before it runs out").waitFor();
    expect(await page.getByRole("button", { name: "Sunday" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByRole("button", { name: "Not subscribed" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByText(email).count()).toBeGreaterThan(0);
    expect(await page.getByRole("button", { name: "Edit email" }).count()).toBe(0);

    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { uuid } = await profileOf(context);
    await page.getByRole("button", { name: uuid }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(uuid);
  });
});

test("a name that could be markup is refused, by the page and by the server, and runs nowhere", async () => {
  await atProfile(async (page, { context }) => {
    const hostile = "<img src=x onerror=document.title='run'>";
    await page.getByRole("button", { name: "Edit name" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(hostile);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(TEXTS.nameTooLong).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("<b>run</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(TEXTS.nameAlphabet, { exact: true }).waitFor();
    const headers = { "sec-fetch-site": "same-origin" };
    for (const name of ["name", "surname", "phone"]) {
      const reply = await context.request.post("/profile/edit.json", { data: { name, value: "<b>run</b>" }, headers });
      expect(reply.status()).toBe(400);
    }
    expect((await profileOf(context)).name).toBe("Ada");
    // What arrives by other ways is text all the same.
    await page.route("**/profile.json", async (route) => {
      const profile = (await (await route.fetch()).json()) as Profile;
      const person = { uuid: profile.uuid, name: hostile, email: hostile };
      const sub_users = [{ ...person, role_code: "GST", salt: null }];
      const managers = [{ ...person, is_super_manager: false, state: "active" }];
      await route.fulfill({ json: { ...profile, ...person, surname: hostile, sub_users, managers } });
    });
    await page.reload();
    await block(page, "Sub-users").getByRole("button", { name: hostile }).first().waitFor();
    // As e-mail, name and last name, as the sub-user's, and as the manager's name and e-mail.
    expect(await page.getByText(hostile, { exact: true }).count()).toBe(6);
    expect(await page.title()).toBe("Profile · Millrace");
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("what is written to support reaches it as text", async () => {
  await atProfile(async (page, { email }) => {
    const hostile = `${email} <img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    await page.getByRole("button", { name: "Support" }).click();
    await page.getByLabel("Message").fill(hostile);
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByRole("button", { name: "Close" }).waitFor();
    const toSupport = async () => (await readMailbox(platform.mailDir)).find(({ text }) => text.includes(hostile));
    await expect.poll(toSupport, { timeout: 15_000 }).toBeDefined();
    expect((await toSupport())?.html).not.toContain("<img src=x");
    expect((await toSupport())?.html).toContain("&lt;img src=x");
  });
});

test("a new password is in force once the link in the mail was opened, and ends other sessions", async () => {
  await atProfile(async (page, { context, email, password, link }) => {
    const elsewhere = await signedIn(browser, platform, { email, password });
    await page.getByRole("button", { name: "Edit password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("mañana-1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(TEXTS.passwordAlphabet, { exact: true }).waitFor();
    await page.getByLabel("New password", { exact: true }).fill("second-password");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`A mail was sent to ${email}`).waitFor();
    expect(await sessionStatus(elsewhere)).toBe(200);

    await page.goto(await mailedLink(platform, email, link));
    await page.getByText("Password changed").waitFor();
    expect(await sessionStatus(elsewhere)).toBe(401);
    expect(await sessionStatus(context)).toBe(200);
    const stranger = await visitor(browser, platform);
    expect((await stranger.request.post("/login.json", { data: { email, password } })).status()).toBe(422);
    await stranger.close();
    await (await signedIn(browser, platform, { email, password: "second-password" })).close();
    await elsewhere.close();
  });
});

test("an authenticator is set up, asked for at the sign-in, and disabled with a recovery code", async () => {
  await atProfile(async (page, { context, email, password }) => {
    const part = block(page, "Two-factor authentication");
    await part.getByRole("button", { name: "Set up authenticator" }).click();
    await part.getByRole("img", { name: "QR code of the authenticator secret" }).waitFor();
    const secret = (await part.getByRole("button", { name: /copy the secret/ }).innerText()).replaceAll(
      /[^A-Z2-7]/g,
      "",
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      part.getByRole("button", { name: "Download codes" }).click(),
    ]);
    const codes = (await readFile(await download.path(), "utf8")).match(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/gm) ?? [];
    expect(codes).toHaveLength(10);

    // Cancelled, nothing of it is in force; the next set-up has a secret of its own.
    await part.getByRole("button", { name: "Cancel" }).click();
    await part.getByRole("button", { name: "Set up authenticator" }).click();
    const shown = part.getByRole("button", { name: /copy the secret/ });
    const second = (await shown.innerText()).replaceAll(/[^A-Z2-7]/g, "");
    expect(second).not.toBe(secret);
    const recovery = (await part.getByRole("button", { name: /copy the recovery codes/ }).innerText()).match(
      /[a-z2-7-]{19}/g,
    );
    expect(recovery).toHaveLength(10);

    const field = part.getByLabel("Verification code");
    await field.fill("12345");
    await part.getByRole("button", { name: "Switch on" }).click();
    await part.getByText(TEXTS.setupCodeLength).waitFor();
    await field.fill(authenticatorCode(second, 40));
    await part.getByRole("button", { name: "Switch on" }).click();
    await part.getByText(TEXTS.wrongCode).waitFor();
    await field.fill(authenticatorCode(second));
    await part.getByRole("button", { name: "Switch on" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/login");
    await page.getByRole("dialog", { name: "Two-factor authentication is on" }).waitFor();
    expect(await sessionStatus(context)).toBe(401);

    await logIn(page, email, password);
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(second, 1));
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === "/apps");

    await page.goto("/profile");
    await part.getByText("10 recovery codes are left.").waitFor();
    await part.getByRole("button", { name: "Disable authenticator" }).click();
    await part.getByLabel("Verification code").fill(authenticatorCode(second, 40));
    await part.getByRole("button", { name: "Disable", exact: true }).click();
    await part.getByText(TEXTS.wrongCode).waitFor();
    await part.getByRole("button", { name: "Use a recovery code" }).click();
    await part.getByLabel("Recovery code").fill(recovery?.[0] ?? "");
    await part.getByRole("button", { name: "Disable", exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === "/login");
    await page.getByRole("dialog", { name: "Two-factor authentication is off" }).waitFor();
    expect(await sessionStatus(context)).toBe(401);

    await logIn(page, email, password);
    await page.waitForURL(({ pathname }) => pathname === "/apps");
    expect((await profileOf(context)).has_authenticator).toBe(false);
  });
});

test("an access token opens the reporting calls as Bearer until it is replaced or revoked", async () => {
  await atProfile(async (page) => {
    const part = block(page, "Access token");
    const shownToken = async () =>
      /mr_[\w-]+/.exec(await part.getByRole("button", { name: /copy the access token/ }).innerText())?.[0] ?? "";
    const statusWith = async (token: string, path = "/apps.json") => {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      return (await fetch(platform.url + path, { headers })).status;
    };
    await part.getByRole("button", { name: "Make token" }).click();
    const first = await shownToken();
    expect(first.length).toBeGreaterThan(40);
    expect(await part.locator("pre").innerText()).toContain(`Authorization: Bearer ${first}`);
    expect(await statusWith(first)).toBe(200);
    expect(await statusWith(first, "/profile.json")).toBe(403);

    await page.reload();
    await part.getByText(`Ends in ${first.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(first);
    await part.getByRole("button", { name: "Replace token" }).click();
    await inDialog(page, "Replace token").click();
    await part.getByText("Copy it now").waitFor();
    const second = await shownToken();
    expect(await statusWith(first)).toBe(401);
    expect(await statusWith(second)).toBe(200);

    await part.getByRole("button", { name: "Revoke token" }).click();
    await inDialog(page, "Revoke token").click();
    await part.getByRole("button", { name: "Make token" }).waitFor();
    expect(await statusWith(second)).toBe(401);
  });
});

test("a sub-user signs in with the password that was shown once, and sees what the role may", async () => {
  await atProfile(async (page) => {
    const part = block(page, "Sub-users");
    await part.getByRole("button", { name: "Add sub-user" }).click();
    await part.getByText(TEXTS.chooseRole).waitFor();
    await part.getByLabel("Role of a new sub-user").selectOption("GST");
    await part.getByRole("button", { name: "Add sub-user" }).click();
    const read = async (what: string) =>
      ((await part.getByRole("button", { name: new RegExp(`, copy ${what}$`) }).textContent()) ?? "").split(
        ", copy",
      )[0] ?? "";
    const email = await read("the e-mail");
    const password = await read("the password");
    expect(email).toMatch(/^gst-[\da-f]{8}@users\.millrace\.invalid$/);

    const guest = await visitor(browser, platform);
    const guestPage = await guest.newPage();
    await logIn(guestPage, email, password);
    await guestPage.waitForURL(({ pathname }) => pathname === "/apps");
    await guestPage.goto("/profile");
    await guestPage.getByRole("button", { name: "Edit name" }).waitFor();
    expect(
      await guestPage
        .getByRole("region")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.querySelector("h2")?.textContent)),
    ).toEqual(["Settings", "Two-factor authentication", "Additional sign in options"]);
    expect(await guestPage.getByRole("button", { name: "Edit password" }).count()).toBe(0);
    // A page without the right to it is not there.
    for (const path of ["/admin/users", "/campaign"]) {
      await guestPage.goto(path);
      await guestPage.getByRole("link", { name: "Go back" }).waitFor();
    }

    await page.reload();
    await part.getByText("shown once, when made").waitFor();
    await part.getByLabel(`Role of ${email}`).selectOption("SDEV");
    await expect
      .poll(async () => ((await (await guest.request.get("/session.json")).json()) as Session).role)
      .toBe("SDEV");

    await part.getByRole("button", { name: `New password for ${email}` }).click();
    await inDialog(page, "Make new password").click();
    await part.getByRole("button", { name: /, copy the password$/ }).waitFor();
    const renewed = await read("the password");
    expect(renewed).not.toBe(password);
    expect(await sessionStatus(guest)).toBe(401);
    await logIn(guestPage, email, renewed);
    await guestPage.waitForURL(({ pathname }) => pathname === "/apps");

    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete sub-user").click();
    await part.getByText("No sub-users found").waitFor();
    expect(await sessionStatus(guest)).toBe(401);
    await guest.close();
  });
});

test("a manager is invited by mail, comes in by its link, and is shut out by one click", async () => {
  await atProfile(async (page, owner) => {
    const part = block(page, "Managers");
    const email = owner.email.replace("person-", "manager-");
    await page.getByRole("button", { name: "Add manager" }).click();
    const form = page.getByRole("dialog", { name: "Add manager" });
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Name").fill("Mary");
    await form.getByRole("button", { name: "Add manager" }).click();
    await part.getByText("Invited", { exact: true }).waitFor();

    await part.getByRole("button", { name: `Edit ${email}` }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Margaret");
    await inDialog(page, "Save").click();
    await part.getByText("Margaret").waitFor();

    const manager = await visitor(browser, platform);
    const managerPage = await manager.newPage();
    await managerPage.goto(await mailedLink(platform, email));
    await managerPage.getByLabel("New password").fill("managers-own");
    await managerPage.getByLabel("Repeat the password").fill("managers-own");
    await managerPage.getByRole("button", { name: "Accept the invitation" }).click();
    await managerPage.waitForURL(({ pathname }) => pathname === "/apps");
    await managerPage.goto("/profile");
    await managerPage.getByRole("button", { name: "Edit name" }).waitFor();
    for (const name of ["Access token", "Sub-users", "Managers", "Delete account"])
      expect(await block(managerPage, name).count()).toBe(0);

    await page.reload();
    await part.getByText("Active", { exact: true }).waitFor();
    await part.getByRole("button", { name: `Delete ${email}` }).click();
    await inDialog(page, "Delete manager").click();
    await part.getByText("No managers found").waitFor();
    expect(await sessionStatus(manager)).toBe(401);
    await manager.close();
  });
});

test("personal data is gathered and downloaded", async () => {
  await atProfile(async (page, { email }) => {
    const part = block(page, "Export personal data");
    await part.getByText("Nothing was exported yet.").waitFor();
    await part.getByRole("button", { name: "Export my data" }).click();
    const link = part.getByRole("link", { name: "Download" });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(await readFile(await download.path(), "utf8")).toContain(email);
  });
});

test("an account is deleted by who proves to be its owner, and nobody signs in to it again", async () => {
  await atProfile(async (page, { context, email, password }) => {
    await page.getByRole("button", { name: "Delete account" }).click();
    const form = page.getByRole("dialog", { name: "Delete account" });
    await form.getByText("cannot sign in any more").waitFor();
    await form.getByLabel("Your email").fill(email);
    await form.getByLabel("Password", { exact: true }).fill("not-the-password");
    await form.getByRole("button", { name: "Delete my account" }).click();
    await form.getByRole("alert").filter({ hasText: /./ }).waitFor();
    expect(await sessionStatus(context)).toBe(200);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByRole("button", { name: "Delete my account" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/");
    await page.getByRole("dialog", { name: "Your account is deleted" }).waitFor();
    expect(await sessionStatus(context)).toBe(401);
    expect((await context.request.post("/login.json", { data: { email, password } })).status()).toBe(422);
  });
});

test.each(LOOKS)(
  "the profile in its states fits and is open to everybody at $width px, $scheme",
  async (look) => {
    const { context } = await newPerson(browser, platform, { look });
    const page = await context.newPage();
    const fits = async (state: string) => {
      expect({ state, findings: await axeFindings(page) }).toEqual({ state, findings: [] });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    };
    await page.goto("/profile");
    await page.getByRole("button", { name: "Edit name" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("<");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Set up authenticator" }).click();
    await page.getByRole("img", { name: "QR code of the authenticator secret" }).waitFor();
    await page.getByLabel("Role of a new sub-user").selectOption("SUSR");
    await page.getByRole("button", { name: "Add sub-user" }).click();
    await page.getByRole("button", { name: /, copy the password$/ }).waitFor();
    await fits("the page");
    for (const opens of ["Add manager", "Delete account"]) {
      const opener = page.getByRole("button", { name: opens });
      await opener.click();
      const dialog = page.getByRole("dialog", { name: opens });
      await dialog.getByRole("button", { name: /^(Add manager|Delete my account)$/ }).click();
      await dialog.getByText(TEXTS.checkFields).waitFor();
      await fits(opens);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await hasFocus(opener);
    }
    await context.close();
  },
  LOOKING_MS,
);
