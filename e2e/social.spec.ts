import { SOCIAL_ERRORS, PROFILE_SOCIAL_ERRORS, TEXTS } from "@millrace/contract";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { authenticatorCode } from "./support/switch-on-authenticator.ts";
import { mailedLink } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE, profileOf, sessionOf, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

type Claims = Partial<Record<"sub" | "email" | "email_verified" | "name" | "given_name" | "family_name", string>>;
const verified = (sub: string): Claims => ({ sub, email: `${sub}@social.test`, email_verified: "true" });

/** On the identity provider's page, which is another site: signs in with these claims, or cancels if null. */
async function atProvider(page: Page, claims: Claims | null): Promise<void> {
  await page.getByRole("heading", { name: "Who are you?" }).waitFor();
  expect(new URL(page.url()).hostname).toBe("localhost");
  if (claims === null) return page.getByRole("button", { name: "Cancel" }).click();
  for (const [claim, value] of Object.entries(claims)) await page.getByLabel(claim, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Continue" }).click();
}

async function continueWith(page: Page, label: string, claims: Claims | null, path = "/login"): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: `Continue with ${label}` }).click();
  await atProvider(page, claims);
}
const arriveAt = (page: Page, path: string) =>
  page.waitForURL((url) => url.origin === platform.url && url.pathname === path);
/** The result of the social sign-in is removed from the address once read. */
const queryIsCleared = (page: Page) => page.waitForURL(({ search }) => !search.includes("error"));

test(
  "a new user signs in through an identity provider, agrees to the terms, logs out, and signs in again",
  { timeout: LOOKING_MS },
  async () => {
    await people.withVisitor(async (page, context) => {
      await continueWith(
        page,
        "Google",
        { ...verified("newcomer"), given_name: "Newt", family_name: "Comer" },
        "/signup",
      );
      await arriveAt(page, "/apps");
      expect(await sessionOf(context)).toMatchObject({ name: "Newt", email: "newcomer@social.test", role: "owner" });
      const accept = page.getByRole("region", { name: "Terms" }).getByRole("button", { name: "Accept" });
      await accept.waitFor();
      expect(await faultsOn(page, "the terms banner")).toEqual([]);
      await accept.click();
      await page.getByRole("region", { name: "Terms" }).waitFor({ state: "detached" });
      expect((await sessionOf(context)).globalConfig.show_agreement).toBe(0);

      // A user without apps is asked to add one.
      await page.getByRole("dialog", { name: "Add New App" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Logout" }).first().click();
      await arriveAt(page, "/");
      expect(await sessionStatus(context)).toBe(401);
      await continueWith(page, "Google", { sub: "newcomer" }, "/login?redirect_to=%2Fprofile");
      await arriveAt(page, "/profile");
      expect(await sessionOf(context)).toMatchObject({ email: "newcomer@social.test" });
    });
  },
);

test.each([
  ["that the user cancels", null, SOCIAL_ERRORS.other],
  ["with an unverified e-mail", { ...verified("doubtful"), email_verified: "false" }, SOCIAL_ERRORS.email_not_verify],
] as const)(
  "a social sign-in %s is refused with a message, which is then removed from the address",
  async (_, claims, sentence) => {
    await people.withVisitor(async (page, context) => {
      await continueWith(page, "Google", claims);
      await arriveAt(page, "/login");
      await page.getByText(sentence, { exact: true }).waitFor();
      await queryIsCleared(page);
      expect(await sessionStatus(context)).toBe(401);
      await page.reload();
      await page.getByRole("button", { name: "Log in" }).waitFor();
      expect(await page.getByText(sentence, { exact: true }).count()).toBe(0);
    });
  },
);

test("a user whose identity provider has not verified the e-mail signs up and opens the account with the mailed link", async () => {
  await people.withVisitor(async (page, context) => {
    await continueWith(page, "Facebook", { sub: "fay", email: "fay@social.test", given_name: "Fay" });
    await arriveAt(page, "/signup");
    await queryIsCleared(page);
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("fay@social.test");
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Fay");
    expect(await page.getByLabel("Password").count()).toBe(0);
    await page.getByRole("radio", { name: /Advertiser/ }).check();
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Check your mail").waitFor();
    expect(await sessionStatus(context)).toBe(401);

    await page.goto(await mailedLink(platform, "fay@social.test"));
    await page.getByRole("button", { name: "Open my account" }).click();
    await arriveAt(page, "/campaign");
    expect(await sessionOf(context)).toMatchObject({ email: "fay@social.test", roles: { can_apps: false } });
  });
  await people.withVisitor(async (page) => {
    await continueWith(page, "Facebook", { sub: "fay" });
    await arriveAt(page, "/campaign");
  });
});

test("a social sign-in asks for the authenticator's code and refuses a wrong one", async () => {
  const sub = "careful";
  let secret = "";
  await people.withVisitor(async (page, context) => {
    await continueWith(page, "Google", verified(sub));
    await arriveAt(page, "/apps");
    const setup = await context.request.get("/api/otp_secret_generate", { headers: OWN_PAGE });
    ({ otp_secret: secret } = (await setup.json()) as { otp_secret: string });
    const query = new URLSearchParams({ code: authenticatorCode(secret), secret });
    expect(
      (await context.request.post(`/api/otp_secret_save?${query.toString()}`, { headers: OWN_PAGE })).status(),
    ).toBe(200);
  });
  await people.withVisitor(async (page, context) => {
    await continueWith(page, "Google", { sub });
    const code = page.getByLabel("Code from your authenticator");
    await code.fill("000000");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText(TEXTS.wrongSocialCode, { exact: true }).waitFor();
    expect(await sessionStatus(context)).toBe(401);
    // The set-up used up the current code; the code of the next time step is accepted already.
    await code.fill(authenticatorCode(secret, 1));
    await page.getByRole("button", { name: "Log in" }).click();
    await arriveAt(page, "/apps");
    expect(await sessionOf(context)).toMatchObject({ email: `${sub}@social.test`, need_verify_otp: false });
  });
});

test("a user links and unlinks an identity provider, but not another user's and not from another site", async () => {
  await people.withVisitor(async (page, context) => {
    const linked = async () => {
      const profile = await profileOf(context);
      return profile.accounts.filter((account) => account.linked).map(({ service }) => service);
    };
    await people.withVisitor(async (other) => {
      await continueWith(other, "Facebook", verified("owned"));
      await arriveAt(other, "/apps");
    });
    await continueWith(page, "Google", verified("linker"));
    await arriveAt(page, "/apps");
    await page.goto("/profile");
    await page.getByRole("link", { name: "Link Facebook" }).click();
    await atProvider(page, { sub: "owned" });
    await page.getByText(PROFILE_SOCIAL_ERRORS.bind_another_user, { exact: true }).waitFor();
    await queryIsCleared(page);
    expect(await linked()).toEqual(["google"]);

    await context.clearCookies({ domain: "localhost" });
    await page.getByRole("link", { name: "Link Facebook" }).click();
    await atProvider(page, { sub: "linker", email: "linker@facebook.test" });
    await page.getByRole("button", { name: "Remove Facebook" }).waitFor();
    expect(await linked()).toEqual(["google", "facebook"]);

    await page.route("http://elsewhere.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<img src="${platform.url}/profile/google">
          <form method="post" action="${platform.url}/profile/facebook"><input name="del" value="1"></form>
          <a href="${platform.url}/profile/google">Link</a><button>Begin</button>`,
      }),
    );
    await page.goto("http://elsewhere.test/");
    await page.evaluate(() => document.forms[0]?.submit());
    await page.waitForURL(/\/profile\/facebook$/);
    await page.goto("http://elsewhere.test/");
    await page.getByRole("link", { name: "Link" }).click();
    await page.waitForURL(/\/profile\/google$/);
    expect(await linked()).toEqual(["google", "facebook"]);

    await page.goto("/profile");
    await page.getByRole("button", { name: "Remove Facebook" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove Facebook" }).click();
    await page.getByRole("link", { name: "Link Facebook" }).waitFor();
    expect(await linked()).toEqual(["google"]);
    await page.getByRole("button", { name: "Remove Google" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove Google" }).click();
    await page.getByText("Google is your only way to log in. Please set a password first").waitFor();
    expect(await linked()).toEqual(["google"]);
  });
});
