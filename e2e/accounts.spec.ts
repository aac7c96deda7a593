import { LOGIN_DAYS } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { logIn } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { daysSignedIn, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { waitForAddress, button, isTypedInto, submitSignIn } from "./support/on-page.ts";

const platform = inject("platform");
const people = testUsers();

test("a user signs in by keyboard, reaches the requested page, is redirected from the auth pages, and logs out", async () => {
  const context = await people.visitor();
  const page = await context.newPage();
  await page.goto("/apps?search=tide");
  await waitForAddress(page, "/");
  await page.getByRole("link", { name: "Log in" }).first().click();
  await isTypedInto(page, "Email");
  await page.keyboard.type(platform.publisher);
  await page.keyboard.press("Tab");
  await isTypedInto(page, "Password");
  await page.keyboard.type(platform.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(({ pathname, search }) => pathname === "/apps" && search.includes("search=tide"));
  await page.getByRole("link", { name: /^Tide Puzzle Android/ }).waitFor();
  expect(await daysSignedIn(context)).toBeCloseTo(LOGIN_DAYS, 1);

  for (const path of ["/", "/login"]) {
    await page.goto(path);
    await waitForAddress(page, "/apps");
  }

  await page.getByRole("link", { name: "Logout" }).first().click();
  await waitForAddress(page, "/");
  expect(await sessionStatus(context)).toBe(401);
});

test("a wrong password keeps the form and says so under the button", async () => {
  const context = await people.visitor();
  const page = await context.newPage();
  await submitSignIn(page, { email: platform.publisher, password: "not-the-password" });
  await page.getByText("Wrong e-mail or password").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(platform.publisher);
});

test("another site's page can neither sign a user out nor read their session", async () => {
  const context = await people.visitor({ isPlain: true });
  await logIn(context, { email: platform.publisher, password: platform.password });
  const page = await context.newPage();
  await page.route("http://elsewhere.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<img src="${platform.url}/logout"><form method="post" action="${platform.url}/login.json"></form>`,
    }),
  );
  await page.goto("http://elsewhere.test/");
  const readable = await page.evaluate(
    (url) =>
      fetch(`${url}/session.json`, { credentials: "include" }).then(
        () => true,
        () => false,
      ),
    platform.url,
  );
  expect(readable).toBe(false);
  expect(await sessionStatus(context)).toBe(200);
});

test("an unknown address shows a not-found page with a link back", async () => {
  const context = await people.visitor();
  const page = await context.newPage();
  await page.goto("/no/such/page");
  expect(await page.getByRole("link", { name: "Go back" }).getAttribute("href")).toMatch(/^\//);
});

test(
  "an impersonating admin sees whose account it is, and returns with one click",
  { timeout: LOOKING_MS },
  async () => {
    const context = await people.admin();
    const page = await context.newPage();
    await page.goto("/admin/users");
    await page
      .getByRole("searchbox", { name: /^Search/ })
      .last()
      .fill(platform.publisher);
    await button(page, `Switch into ${platform.publisher}`).click();
    await waitForAddress(page, "/apps");
    const strip = page.getByRole("status").filter({ hasText: "You are in the account of" });
    await strip.filter({ hasText: platform.publisher }).waitFor();
    const main = page.getByRole("navigation", { name: "Main" }).first();
    expect(await main.getByRole("link", { name: "Logout" }).count()).toBe(0);
    expect(await main.getByRole("link", { name: "Admin Apps" }).count()).toBe(0);
    expect(await faultsOn(page, "an impersonated account")).toEqual([]);
    await main.getByRole("button", { name: "Return to admin" }).click();
    await page.getByRole("link", { name: "Admin Apps" }).first().waitFor();
    await page.getByText("You are in the account of").waitFor({ state: "detached" });
  },
);

test("a message to support includes the page that it was written on", { timeout: LOOKING_MS }, async () => {
  const person = await people.newPerson();
  const page = await person.context.newPage();
  await page.goto("/profile");
  await button(page, "Support").focus();
  await page.keyboard.press("Enter");
  await isTypedInto(page, "Message");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("This field is required").waitFor();
  expect(await faultsOn(page, "the support form")).toEqual([]);
  await page.getByLabel("Message").fill("Where is my money?");
  await button(page, "Send message").click();
  await button(page, "Close").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Support" }).waitFor({ state: "detached" });
  await expect
    .poll(
      async () => (await readMailbox(platform.mailDir)).find(({ text }) => text.includes("Where is my money?"))?.text,
    )
    .toMatch(new RegExp(`(?=[^]*${person.email})(?=[^]*/profile)`));
});
