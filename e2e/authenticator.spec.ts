import { readFile } from "node:fs/promises";
import { TEXTS } from "@millrace/contract";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { authenticatorCode, switchOnAuthenticator } from "./support/switch-on-authenticator.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { profileOf, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { waitForAddress, button, isTypedInto, submitSignIn } from "./support/on-page.ts";

const people = testUsers();

/** The next person to sign in must not land on the page of the one who left. */
const isRememberingNoPage = (page: Page) => expect(new URL(page.url()).search).toBe("");

const LOGIN_TO_PROFILE = "/login?redirect_to=%2Fprofile";

test(
  "a user sets up an authenticator, signs in with its code, and disables it with a recovery code",
  { timeout: LOOKING_MS },
  async () => {
    const { context, email, password } = await people.newPerson();
    const page = await context.newPage();
    await page.goto("/profile");
    const part = page.getByRole("region", { name: "Two-factor authentication", exact: true });
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

    // Cancelling discards the secret; the next set-up has a new one.
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
    await waitForAddress(page, "/login");
    await page.getByRole("dialog", { name: "Two-factor authentication is on" }).waitFor();
    isRememberingNoPage(page);
    expect(await faultsOn(page, "a notification")).toEqual([]);
    expect(await sessionStatus(context)).toBe(401);

    await submitSignIn(page, { email, password }, LOGIN_TO_PROFILE);
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(second, 1));
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await waitForAddress(page, "/profile");

    await part.getByText("10 recovery codes are left.").waitFor();
    await part.getByRole("button", { name: "Disable authenticator" }).click();
    await part.getByLabel("Verification code").fill(authenticatorCode(second, 40));
    await part.getByRole("button", { name: "Disable", exact: true }).click();
    await part.getByText(TEXTS.wrongCode).waitFor();
    await part.getByRole("button", { name: "Use a recovery code" }).click();
    await part.getByLabel("Recovery code").fill(recovery?.[0] ?? "");
    await part.getByRole("button", { name: "Disable", exact: true }).click();
    await waitForAddress(page, "/login");
    await page.getByRole("dialog", { name: "Two-factor authentication is off" }).waitFor();
    isRememberingNoPage(page);
    expect(await sessionStatus(context)).toBe(401);

    await submitSignIn(page, { email, password }, LOGIN_TO_PROFILE);
    await waitForAddress(page, "/profile");
    expect((await profileOf(context)).has_authenticator).toBe(false);
  },
);

test("a sign-in asks for the authenticator's code and accepts a recovery code instead", async () => {
  const person = await people.newPerson();
  const { secret, recovery } = await switchOnAuthenticator(person);
  const page = await (await people.visitor()).newPage();
  await submitSignIn(page, person, LOGIN_TO_PROFILE);
  await isTypedInto(page, "Code from your authenticator");
  await page.keyboard.type("12345");
  await page.keyboard.press("Enter");
  await page.getByText("Code must contain 6 digits").waitFor();
  await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 40));
  await button(page, "Log in").click();
  await page.getByText("Your code is incorrect").waitFor();
  await button(page, "Go back").click();
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(person.email);
  await button(page, "Log in").click();
  await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 1));
  await button(page, "Log in").click();
  await waitForAddress(page, "/profile");

  await page.getByRole("link", { name: "Logout" }).first().click();
  await waitForAddress(page, "/");
  await submitSignIn(page, person, LOGIN_TO_PROFILE);
  await isTypedInto(page, "Code from your authenticator");
  await button(page, "Use a recovery code instead").click();
  await isTypedInto(page, "Recovery code");
  await page.keyboard.type(recovery[0] ?? "");
  await page.keyboard.press("Enter");
  await waitForAddress(page, "/profile");
  expect(recovery).toHaveLength(10);
});

test("a session that owes a code sees only the code form and a logout link", { timeout: LOOKING_MS }, async () => {
  const person = await people.newPerson();
  const elsewhere = await people.signedIn(person);
  const leaving = await people.signedIn(person);
  const { secret } = await switchOnAuthenticator(person);
  const page = await elsewhere.newPage();
  await page.goto("/apps");
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).count()).toBe(0);
  await page.getByLabel("Code from your authenticator").fill("12");
  await button(page, "Continue").click();
  await page.getByText("Verification code contains 6 digits").waitFor();
  await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 40));
  await button(page, "Continue").click();
  await page.getByText("Your code is incorrect").waitFor();
  expect(await faultsOn(page, "the code form")).toEqual([]);
  await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 1));
  await button(page, "Continue").click();
  await page.getByRole("navigation", { name: "Main" }).first().waitFor();
  await page.getByRole("heading", { name: "Apps", level: 1 }).waitFor();

  const other = await leaving.newPage();
  await other.goto("/profile");
  await other.getByRole("link", { name: "Log out" }).click();
  await waitForAddress(other, "/");
  expect(await sessionStatus(leaving)).toBe(401);
});
