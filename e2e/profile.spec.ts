import { readFile } from "node:fs/promises";
import { TEXTS, type Profile } from "@millrace/contract";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { hasFocus, inDialog, region } from "./support/on-page.ts";
import { mailedLink } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { profileOf, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

declare global {
  interface Window {
    /** How long the text that `timeShown` watches was visible. */
    shownMs: number;
  }
}

const platform = inject("platform");
const people = testUsers();

/** Measures in the page how long a text is visible, because the test sees changes late on a busy machine. */
const timeShown = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    let since: number | null = null;
    new MutationObserver(() => {
      const isShown = document.body.innerText.includes(wanted);
      if (isShown) since ??= performance.now();
      else if (since !== null) window.shownMs = performance.now() - since;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, text);

test("settings are edited by keyboard, confirmed for five seconds, and saved", async () => {
  await people.withProfile(async (page, { context, email }) => {
    await timeShown(page, "Name saved");
    await page.getByRole("button", { name: "Edit name" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("textbox", { name: "Name" }));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Grace Hopper");
    await page.keyboard.press("Enter");
    await page.getByText("Name saved").waitFor();
    await hasFocus(page.getByRole("button", { name: "Edit name" }));
    await page.getByText("Name saved").waitFor({ state: "detached" });
    const shownMs = await page.evaluate(() => window.shownMs);
    expect(shownMs).toBeGreaterThan(4900);
    // On a busy machine the page removes it late.
    expect(shownMs).toBeLessThan(10_000);
    // The navigation shows the new name.
    await page.getByRole("navigation", { name: "Main" }).first().getByText("Grace Hopper").waitFor();

    await page.getByRole("button", { name: "Edit phone" }).click();
    await hasFocus(page.getByRole("textbox", { name: "Phone" }));
    await page.keyboard.type("+1 (555) 0100200");
    await page.keyboard.press("Enter");
    await page.getByText("Phone saved").waitFor();
    await page.getByRole("button", { name: "Sunday" }).click();
    await page.getByText("Week start saved").waitFor();
    await page.getByRole("button", { name: "Subscribed", exact: true }).click();
    await page.getByText("News subscription saved").waitFor();
    await page.getByRole("button", { name: "Edit balance alert" }).click();
    await page.getByLabel("Balance alert").selectOption("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Balance alert saved").waitFor();

    await page.reload();
    await page.getByText("+15550100200").waitFor();
    await page.getByText("7 days before it runs out").waitFor();
    await page.getByRole("button", { name: "Sunday", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Subscribed", exact: true, pressed: true }).waitFor();
    await page.getByText(email).first().waitFor();
    expect(await page.getByRole("button", { name: "Edit email" }).count()).toBe(0);

    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { uuid } = await profileOf(context);
    await page.getByRole("button", { name: uuid }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(uuid);
  });
});

test("a name with markup is refused by the page and by the server, and never runs", async () => {
  await people.withProfile(async (page, { context }) => {
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
    // Names that arrive any other way are still shown as text.
    await page.route("**/profile.json", async (route) => {
      const profile = (await (await route.fetch()).json()) as Profile;
      await route.fulfill({ json: { ...profile, name: hostile, email: hostile, surname: hostile } });
    });
    await page.reload();
    // E-mail, name and last name.
    await expect.poll(() => page.getByText(hostile, { exact: true }).count()).toBe(3);
    await expect.poll(() => page.title()).toBe("Profile · Millrace");
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("messages to support arrive as plain text", async () => {
  await people.withProfile(async (page, { email }) => {
    const hostile = `${email} <img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    await page.getByRole("button", { name: "Support" }).click();
    await page.getByLabel("Message").fill(hostile);
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByRole("button", { name: "Close" }).waitFor();
    const toSupport = async () => (await readMailbox(platform.mailDir)).find(({ text }) => text.includes(hostile));
    await expect.poll(toSupport).toBeDefined();
    expect((await toSupport())?.html).not.toContain("<img src=x");
    expect((await toSupport())?.html).toContain("&lt;img src=x");
  });
});

test("a new password takes effect when the mailed link is opened, and ends other sessions", async () => {
  await people.withProfile(async (page, { context, email, password, link }) => {
    const elsewhere = await people.signedIn({ email, password });
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
    const stranger = await people.visitor();
    expect((await stranger.request.post("/login.json", { data: { email, password } })).status()).toBe(422);
    await people.signedIn({ email, password: "second-password" });
  });
});

test("an access token opens the reporting calls until it is replaced or revoked", async () => {
  await people.withProfile(async (page) => {
    const part = region(page, "Access token");
    const shownToken = async () =>
      /mr_[\w-]+/.exec(await part.getByRole("button", { name: /copy the access token/ }).innerText())?.[0] ?? "";
    const statusWith = async (token: string, path = "/apps.json") => {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      return (await fetch(platform.url + path, { headers })).status;
    };
    await part.getByRole("button", { name: "Create token" }).click();
    const first = await shownToken();
    expect(first.length).toBeGreaterThan(40);
    await part
      .locator("pre")
      .filter({ hasText: `Authorization: Bearer ${first}` })
      .waitFor();
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
    await part.getByRole("button", { name: "Create token" }).waitFor();
    expect(await statusWith(second)).toBe(401);
  });
});

test("a user exports and downloads their personal data", async () => {
  await people.withProfile(async (page, { email }) => {
    const part = region(page, "Export personal data");
    await part.getByText("No data has been exported yet.").waitFor();
    await part.getByRole("button", { name: "Export my data" }).click();
    const link = part.getByRole("link", { name: "Download" });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(await readFile(await download.path(), "utf8")).toContain(email);
  });
});

test("an owner deletes the account with their password, and nobody can sign in to it again", async () => {
  await people.withProfile(async (page, { context, email, password }) => {
    await page.getByRole("button", { name: "Delete account" }).click();
    const form = page.getByRole("dialog", { name: "Delete account" });
    await form.getByText("can no longer sign in").waitFor();
    await form.getByLabel("Your email").fill(email);
    await form.getByLabel("Password", { exact: true }).fill("not-the-password");
    await form.getByRole("button", { name: "Delete my account" }).click();
    await form.getByRole("alert").filter({ hasText: /./ }).waitFor();
    expect(await sessionStatus(context)).toBe(200);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByRole("button", { name: "Delete my account" }).click();
    await page.getByRole("dialog", { name: "Your account is deleted" }).waitFor();
    // The address does not ask to return to the profile.
    await page.waitForURL(({ pathname, search }) => pathname === "/" && search === "");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Mobile ad mediation that shows its work" }).waitFor();
    expect(await sessionStatus(context)).toBe(401);
    expect((await context.request.post("/login.json", { data: { email, password } })).status()).toBe(422);
  });
});

test("the profile fits and passes the accessibility checks in all its states", { timeout: LOOKING_MS }, async () => {
  await people.withProfile(async (page) => {
    await page.getByRole("button", { name: "Edit name" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("<");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Name" }).and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByRole("button", { name: "Set up authenticator" }).click();
    await page.getByRole("img", { name: "QR code of the authenticator secret" }).waitFor();
    expect(await faultsOn(page, "the page")).toEqual([]);
    const opener = page.getByRole("button", { name: "Delete account" });
    await opener.click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    await dialog.getByText(TEXTS.checkFields).waitFor();
    expect(await faultsOn(page, "Delete account")).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await hasFocus(opener);
  });
});
