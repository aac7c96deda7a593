import { randomBytes } from "node:crypto";
import { LOGIN_DAYS } from "@millrace/contract";
import { expect, inject, test } from "vitest";
import { hasFocus, waitForAddress, button, isTypedInto } from "./support/on-page.ts";
import { mailedLink } from "./support/new-person.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { daysSignedIn, sessionStatus } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();

const anAddress = () => `user-${randomBytes(6).toString("hex")}@example.com`;

/** The public screens, and a text on each. */
const SCREENS = [
  ["/", "Mobile ad mediation"],
  ["/?auth=login", "Forgot password?"],
  ["/?auth=signup", "What brings you here"],
  ["/?auth=recovery", "Remembered it?"],
  ["/login", "Forgot password?"],
  ["/login?error=require_otp_code&service=google&reqid=r", "Use a recovery code instead"],
  ["/login?error=email_not_verify&service=google", "Please verify you email before linking."],
  ["/signup", "What brings you here"],
  ["/signup?error=no_email&service=google&reqid=r&name=Ada", "Please enter your e-mail"],
  ["/signup?error=no_email&service=google&reqid=r&email=ada@example.com", "Your e-mail is not confirmed yet"],
  ["/password-recovery", "Remembered it?"],
  ["/ticket/nonsense", "This link is not active."],
  ["/eula", "Apache License"],
  ["/terms", "Your account"],
  ["/privacy", "Your rights"],
  ["/copyright", "without your permission"],
  ["/no/such/page", "404"],
] as const;

test("a visitor signs up from the landing page by keyboard, and the link in the mail signs them in", async () => {
  await people.withVisitor(async (page, context) => {
    const email = anAddress();
    await page.goto(platform.mailbox);
    await page.getByRole("heading", { name: "Mailbox" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.goto("/");
    const opener = page.getByRole("banner").getByRole("link", { name: "Sign up" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Sign up" }).waitFor();
    expect(new URL(page.url()).search).toBe("?auth=signup");
    await isTypedInto(page, "Email");
    for (const text of [email, "Ada"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("first-password");
    // The first Tab reaches the button that shows the password.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("first-pasword");
    await page.keyboard.press("Enter");
    await page.getByText("Passwords must match").waitFor();
    await page.getByText("Please accept the terms").waitFor();
    await page.getByText("Please check highlighted fields before submitting").waitFor();
    await isTypedInto(page, "Repeat the password");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("first-password");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    // A focused link preloads its page, and leaves the form as it is.
    const preload = page.waitForRequest(/legal-pages/);
    await page.keyboard.press("Tab");
    await hasFocus(page.getByRole("dialog").getByRole("link", { name: "terms" }));
    await preload;
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ada");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Check your mail").waitFor();
    await page.getByText(email).waitFor();
    expect(await page.getByRole("link", { name: "open the mailbox" }).getAttribute("href")).toBe("/demo/mail");

    await page.goto(await mailedLink(platform, email));
    await button(page, "Open my account").click();
    await waitForAddress(page, "/apps");
    await page.getByText("Your account is open").waitFor();
    expect(await sessionStatus(context)).toBe(200);
    expect(await daysSignedIn(context)).toBeCloseTo(LOGIN_DAYS, 1);
  });
});

test("an advertiser lands on campaigns after signing in", async () => {
  await people.withVisitor(async (page) => {
    const email = anAddress();
    await page.goto("/signup");
    await page.getByRole("radio", { name: /Advertiser/ }).check();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Password", { exact: true }).fill("first-password");
    await page.getByLabel("Repeat the password").fill("first-password");
    await page.getByRole("checkbox").check();
    await button(page, "Sign up").click();
    await page.getByText("Check your mail").waitFor();
    await page.getByText("that the platform printed at startup").waitFor();
    await page.goto(await mailedLink(platform, email));
    await button(page, "Open my account").click();
    await waitForAddress(page, "/campaign");
    await page.goto("/");
    await waitForAddress(page, "/campaign");
    await page.getByRole("link", { name: "Campaigns", exact: true }).first().waitFor();
    expect(await page.getByRole("link", { name: "Apps", exact: true }).count()).toBe(0);
  });
});

test("the auth forms of the landing page share one dialog; Escape and Back close it, and the focus returns", async () => {
  await people.withVisitor(async (page) => {
    await page.goto("/?redirect_to=%2Fapps%3Fp%3D1");
    await page.getByRole("banner").getByRole("link", { name: "Log in" }).focus();
    await page.keyboard.press("Enter");
    await isTypedInto(page, "Email");
    for (const [link, title, search] of [
      ["Forgot password?", "Password recovery", "recovery"],
      ["Log in", "Log in", "login"],
      ["Sign up", "Sign up", "signup"],
    ] as const) {
      await page.getByRole("dialog").getByRole("link", { name: link }).click();
      await page.getByRole("dialog", { name: title }).waitFor();
      expect(new URL(page.url()).searchParams.get("auth")).toBe(search);
      expect(new URL(page.url()).searchParams.get("redirect_to")).toBe("/apps?p=1");
      await isTypedInto(page, "Email");
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?redirect_to=%2Fapps%3Fp%3D1");
    await hasFocus(page.getByRole("banner").getByRole("link", { name: "Log in" }));

    await page.getByRole("banner").getByRole("link", { name: "Sign up" }).click();
    await page.getByRole("dialog", { name: "Sign up" }).waitFor();
    await page.reload();
    await page.getByRole("dialog", { name: "Sign up" }).waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

test("a signed-in user is redirected from every auth page", async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  // The browser remembers the sign-in; without it, auth pages do not ask for the session.
  await page.goto("/apps");
  await page.getByRole("heading", { name: "Apps", level: 1 }).waitFor();
  for (const path of ["/", "/?auth=login", "/login", "/signup", "/password-recovery"]) {
    await page.goto(path);
    await waitForAddress(page, "/apps");
    expect(await page.getByRole("dialog").count()).toBe(0);
  }
});

test("a user whose session ended elsewhere signs in again and returns to the same page", async () => {
  const person = await people.newPerson();
  const page = await person.context.newPage();
  await page.goto("/profile");
  await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  await person.context.request.get("/logout", {
    headers: { "sec-fetch-site": "same-origin", accept: "application/json" },
  });
  await waitForAddress(page, "/login");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await button(page, "Log in").click();
  await waitForAddress(page, "/profile");
  expect(await sessionStatus(person.context)).toBe(200);
});

test("a page that a user may not open shows not found and a link back", async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  for (const path of ["/admin/apps", "/admin/users"]) {
    await page.goto(path);
    await page.getByText("Page not found").waitFor();
    expect(await page.getByRole("link", { name: "Logout" }).count()).toBe(1);
    await page.getByRole("link", { name: "Go back" }).click();
    await waitForAddress(page, "/apps");
  }
});

test("auth pages, dialogs and legal pages fit and pass the accessibility checks", { timeout: LOOKING_MS }, async () => {
  await people.withVisitor(async (page) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      // The document request of the 404 page is logged as an error too.
      if (message.type() === "error" && !message.text().includes("404")) faults.push(message.text());
    });
    for (const [path, shown] of SCREENS) {
      await page.goto(path);
      await page.getByText(shown).first().waitFor();
      expect(await faultsOn(page, path)).toEqual([]);
    }
    for (const [path, submit] of [
      ["/login", "Log in"],
      ["/signup", "Sign up"],
    ] as const) {
      await page.goto(path);
      await button(page, submit).click();
      await page.getByText("Please check highlighted fields before submitting").waitFor();
      expect(await faultsOn(page, `${path}, refused`)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});
