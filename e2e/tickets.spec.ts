import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { authenticatorCode, switchOnAuthenticator } from "./support/switch-on-authenticator.ts";
import { mailedLink } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { waitForAddress, button } from "./support/on-page.ts";

const platform = inject("platform");
const people = testUsers();

test("a sign-up link opened in another browser asks for a password there", { timeout: LOOKING_MS }, async () => {
  await people.withVisitor(async (page, context) => {
    const stranger = await people.visitor();
    const email = `ticket-${randomBytes(6).toString("hex")}@example.com`;
    const form = {
      email,
      name: "Ada",
      password: "strangers-own",
      passConfirm: "strangers-own",
      role: "NEW",
      agree: true,
    };
    const headers = { "sec-fetch-site": "same-origin" };
    expect((await stranger.request.post("/reg.json", { data: form, headers })).status()).toBe(200);
    await page.goto(await mailedLink(platform, email));
    await page.getByText("maybe by someone else").waitFor();
    expect(await faultsOn(page, "a sign-up from another browser")).toEqual([]);
    await page.getByLabel("New password").fill("owners-own");
    await page.getByLabel("Repeat the password").fill("owners-own");
    await button(page, "Open my account").click();
    await waitForAddress(page, "/apps");
    // The stranger agreed to the terms; the owner of the e-mail has not.
    await page.getByRole("region", { name: "Terms" }).waitFor();
    const statusWith = async (password: string) =>
      (await context.request.post("/login.json", { data: { email, password }, headers })).status();
    expect([await statusWith("strangers-own"), await statusWith("owners-own")]).toEqual([422, 200]);
    expect(await sessionStatus(stranger)).toBe(401);
  });
});

test("only the newest link resets a forgotten password, and only once", { timeout: LOOKING_MS }, async () => {
  const person = await people.newPerson();
  await people.withVisitor(async (page, context) => {
    const ask = async () => {
      await page.goto("/login");
      await page.getByRole("link", { name: "Forgot password?" }).click();
      await page.getByLabel("Email").fill(person.email);
      await button(page, "Send link").click();
      await page.getByText("Check your mail").waitFor();
    };
    await ask();
    const older = await mailedLink(platform, person.email, person.link);
    await ask();
    const link = await mailedLink(platform, person.email, older);
    await page.goto(older);
    await page.getByText("A newer link is available.").waitFor();

    await page.goto(link);
    await page.getByLabel("New password").fill("second-password");
    await page.getByLabel("Repeat the password").fill("second-passwort");
    await button(page, "Save password").click();
    await page.getByText("Passwords must match").waitFor();
    expect(await faultsOn(page, "a refused password")).toEqual([]);
    await page.getByLabel("Repeat the password").fill("second-password");
    await button(page, "Save password").click();
    await page.getByText("Password saved").waitFor();
    expect(await faultsOn(page, "a saved password")).toEqual([]);
    // Other sessions have ended.
    expect(await sessionStatus(person.context)).toBe(401);
    await page.getByRole("link", { name: "Continue to dashboard" }).click();
    await waitForAddress(page, "/apps");

    await page.goto(link);
    await page.waitForURL(({ pathname }) => pathname.endsWith("/pass"));
    await page.getByText("Password changed").waitFor();
    const stranger = await people.visitor();
    const strangerPage = await stranger.newPage();
    await strangerPage.goto(link);
    await strangerPage.getByText("This link has already been activated.").waitFor();
    expect(await sessionStatus(context)).toBe(200);
  });
});

test("a made-up link is not active", async () => {
  await people.withVisitor(async (page) => {
    for (const path of [`/ticket/${crypto.randomUUID()}-${"0".repeat(32)}`, "/ticket/nonsense"]) {
      await page.goto(path);
      await page.getByText("This link is not active.").waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
    }
  });
});

test("a reset asks a user with an authenticator for its code", async () => {
  const person = await people.newPerson();
  const { secret } = await switchOnAuthenticator(person);
  await people.withVisitor(async (page, context) => {
    await context.request.post("/remind.json", {
      data: { email: person.email },
      headers: { "sec-fetch-site": "same-origin" },
    });
    await page.goto(await mailedLink(platform, person.email, person.link));
    await page.getByLabel("New password").fill("second-password");
    await page.getByLabel("Repeat the password").fill("second-password");
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 40));
    await button(page, "Save password").click();
    await page.getByText("Your code is incorrect").waitFor();
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 1));
    await button(page, "Save password").click();
    await page.getByText("Password saved").waitFor();
    expect(await sessionStatus(context)).toBe(200);
  });
});
