import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { authenticatorCode } from "./support/authenticator-code.ts";
import { hasFocus } from "./support/has-focus.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { mailedLink } from "./support/mailed-link.ts";
import { type NewPerson, newPerson, signedIn } from "./support/new-person.ts";
import { LOOKS, axeFindings, overflowOf, publisher, visitor } from "./support/people.ts";

const platform = inject("platform");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const anAddress = () => `door-${randomBytes(6).toString("hex")}@example.com`;
const at = (page: Page, path: string) => page.waitForURL(({ pathname }) => pathname === path);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const statusOf = async ({ request }: BrowserContext) => (await request.get("/session.json")).status();
const isTypedInto = (page: Page, label: string) => hasFocus(page.getByLabel(label, { exact: true }));

async function withVisitor(run: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await visitor(browser, platform);
  await run(await context.newPage(), context);
  await context.close();
}

/** Switches an authenticator on for somebody; its session ends with that. Codes of later half minutes are still good. */
async function withAuthenticator({ context }: NewPerson): Promise<{ secret: string; recovery: string[] }> {
  const headers = { "sec-fetch-site": "same-origin", accept: "application/json" };
  const made = await context.request.get("/api/otp_secret_generate", { headers });
  const { otp_secret: secret, recovery_codes: recovery } = (await made.json()) as {
    otp_secret: string;
    recovery_codes: string[];
  };
  const code = authenticatorCode(secret, -1);
  const saved = await context.request.post(`/api/otp_secret_save?code=${code}&secret=${secret}`, { headers });
  expect(saved.status()).toBe(200);
  return { secret, recovery };
}

test("somebody signs up from the landing page by keyboard, and the link in the mail lets them in", async () => {
  await withVisitor(async (page, context) => {
    const email = anAddress();
    await page.goto("/");
    const opener = page.getByRole("banner").getByRole("link", { name: "Sign up" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Sign up" }).waitFor();
    expect(new URL(page.url()).search).toBe("?door=signup");
    await isTypedInto(page, "Email");
    for (const text of [email, "Ada"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("first-password");
    // Past the eye that shows the password.
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
    await page.keyboard.press("Enter");
    await page.getByText("Check your mail").waitFor();
    await page.getByText(email).waitFor();
    expect(await page.getByRole("link", { name: "open the mailbox" }).getAttribute("href")).toBe("/demo/mail");

    await page.goto(await mailedLink(platform, email));
    await button(page, "Open my account").click();
    await at(page, "/apps");
    await page.getByText("Your account is open").waitFor();
    expect(await statusOf(context)).toBe(200);
  });
});

test("an advertiser comes home to campaigns", async () => {
  await withVisitor(async (page) => {
    const email = anAddress();
    await page.goto("/signup");
    await page.getByText("Advertiser").click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Password", { exact: true }).fill("first-password");
    await page.getByLabel("Repeat the password").fill("first-password");
    await page.getByRole("checkbox").check();
    await button(page, "Sign up").click();
    await page.getByText("Check your mail").waitFor();
    await page.goto(await mailedLink(platform, email));
    await button(page, "Open my account").click();
    await at(page, "/campaign");
    await page.goto("/");
    await at(page, "/campaign");
    expect(await page.getByRole("link", { name: "Apps", exact: true }).count()).toBe(0);
  });
});

test("whoever opens the link in another browser than the one that signed up chooses the password there", async () => {
  await withVisitor(async (page, context) => {
    const stranger = await visitor(browser, platform);
    const email = anAddress();
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
    await page.getByText("maybe by somebody else").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel("New password").fill("owners-own");
    await page.getByLabel("Repeat the password").fill("owners-own");
    await button(page, "Open my account").click();
    await at(page, "/apps");
    // Agreed to by the stranger, the terms are yet to be agreed to by who is here.
    await page.getByRole("region", { name: "Terms" }).waitFor();
    const statusWith = async (password: string) =>
      (await context.request.post("/login.json", { data: { email, password }, headers })).status();
    expect([await statusWith("strangers-own"), await statusWith("owners-own")]).toEqual([422, 200]);
    expect(await statusOf(stranger)).toBe(401);
    await stranger.close();
  });
});

test("the doors of the landing page change places in one dialog; Escape and Back close it, and the focus returns", async () => {
  await withVisitor(async (page) => {
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
      expect(new URL(page.url()).searchParams.get("door")).toBe(search);
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

test("a forgotten password is set anew by the newest link alone, which works once", async () => {
  const person = await newPerson(browser, platform);
  await withVisitor(async (page, context) => {
    const ask = async () => {
      await page.goto("/login");
      await page.getByRole("link", { name: "Forgot password?" }).click();
      await page.getByLabel("Email").fill(person.email);
      await button(page, "Send the link").click();
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
    await page.getByLabel("Repeat the password").fill("second-password");
    await button(page, "Save password").click();
    await page.getByText("Password saved").waitFor();
    // Whoever was signed in elsewhere no longer is.
    expect(await statusOf(person.context)).toBe(401);
    await page.getByRole("link", { name: "Continue to dashboard" }).click();
    await at(page, "/apps");

    await page.goto(link);
    await page.waitForURL(({ pathname }) => pathname.endsWith("/pass"));
    await page.getByText("Password changed").waitFor();
    const stranger = await visitor(browser, platform);
    const strangerPage = await stranger.newPage();
    await strangerPage.goto(link);
    await strangerPage.getByText("This link has already been activated.").waitFor();
    await stranger.close();
    expect(await statusOf(context)).toBe(200);
  });
  await person.context.close();
});

test("a link that was made up is not active", async () => {
  await withVisitor(async (page) => {
    for (const path of [`/ticket/${crypto.randomUUID()}-${"0".repeat(32)}`, "/ticket/nonsense"]) {
      await page.goto(path);
      await page.getByText("This link is not active.").waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
    }
  });
});

test("an authenticator's code is the second step of a sign-in, and a recovery code takes its place", async () => {
  const person = await newPerson(browser, platform);
  const { secret, recovery } = await withAuthenticator(person);
  await person.context.close();
  await withVisitor(async (page) => {
    const givePassword = async () => {
      await page.goto("/login?redirect_to=%2Fprofile");
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password", { exact: true }).fill(person.password);
      await button(page, "Log in").click();
      await isTypedInto(page, "Code from your authenticator");
    };
    await givePassword();
    await page.keyboard.type("12345");
    await page.keyboard.press("Enter");
    await page.getByText("Code must contain 6 digits").waitFor();
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 40));
    await button(page, "Log in").click();
    await page.getByText("Your code is incorrect").waitFor();
    await button(page, "Go back").click();
    expect(await page.getByLabel("Email").inputValue()).toBe(person.email);
    await button(page, "Log in").click();
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret));
    await button(page, "Log in").click();
    await at(page, "/profile");

    await page.getByRole("link", { name: "Logout" }).first().click();
    await at(page, "/");
    await givePassword();
    await button(page, "Use a recovery code instead").click();
    await isTypedInto(page, "Recovery code");
    await page.keyboard.type(recovery[0] ?? "");
    await page.keyboard.press("Enter");
    await at(page, "/profile");
    expect(recovery).toHaveLength(10);
  });
});

test("a reset asks whoever has an authenticator for its code", async () => {
  const person = await newPerson(browser, platform);
  const { secret } = await withAuthenticator(person);
  await person.context.close();
  await withVisitor(async (page, { request }) => {
    await request.post("/remind.json", {
      data: { email: person.email },
      headers: { "sec-fetch-site": "same-origin" },
    });
    await page.goto(await mailedLink(platform, person.email, person.link));
    await page.getByLabel("New password").fill("second-password");
    await page.getByLabel("Repeat the password").fill("second-password");
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret, 40));
    await button(page, "Save password").click();
    await page.getByText("Your code is incorrect").waitFor();
    await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret));
    await button(page, "Save password").click();
    await page.getByText("Password saved").waitFor();
    expect((await request.get("/session.json")).status()).toBe(200);
  });
});

test("a session that owes its code sees nothing but the question for it, and a way out", async () => {
  const person = await newPerson(browser, platform);
  const elsewhere = await signedIn(browser, platform, person);
  const leaving = await signedIn(browser, platform, person);
  const { secret } = await withAuthenticator(person);
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
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel("Code from your authenticator").fill(authenticatorCode(secret));
  await button(page, "Continue").click();
  await page.getByRole("navigation", { name: "Main" }).first().waitFor();
  await page.getByRole("heading", { name: "Apps", level: 1 }).waitFor();

  const other = await leaving.newPage();
  await other.goto("/profile");
  await other.getByRole("link", { name: "Log out" }).click();
  await at(other, "/");
  expect(await statusOf(leaving)).toBe(401);
  for (const context of [person.context, elsewhere, leaving]) await context.close();
});

test("who is signed in is sent on from every door", async () => {
  const context = await publisher(browser, platform);
  const page = await context.newPage();
  // The browser remembers that somebody signed in here; strangers are not asked about.
  await page.goto("/apps");
  await page.getByRole("heading", { name: "Apps", level: 1 }).waitFor();
  for (const door of ["/", "/?door=login", "/login", "/signup", "/password-recovery"]) {
    await page.goto(door);
    await at(page, "/apps");
    expect(await page.getByRole("dialog").count()).toBe(0);
  }
  await context.close();
});

test("a session that ended elsewhere leads to the sign-in, and from there back", async () => {
  const person = await newPerson(browser, platform);
  const page = await person.context.newPage();
  await page.goto("/profile");
  await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  await person.context.request.get("/logout", {
    headers: { "sec-fetch-site": "same-origin", accept: "application/json" },
  });
  await at(page, "/login");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await button(page, "Log in").click();
  await at(page, "/profile");
  expect(await statusOf(person.context)).toBe(200);
  await person.context.close();
});

test("a page without the right to it is not there, and there is a way back", async () => {
  const context = await publisher(browser, platform);
  const page = await context.newPage();
  for (const path of ["/admin/apps", "/campaign"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "404: there is no page here" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).count()).toBe(0);
    await page.getByRole("link", { name: "Go back" }).click();
    await at(page, "/apps");
  }
  await context.close();
});

test("a visiting admin sees whose account it is, and returns by one click", async () => {
  const context = await signedIn(browser, platform, { email: "admin@demo.test", password: platform.password });
  const page = await context.newPage();
  await page.goto("/admin/users");
  await page
    .getByRole("searchbox", { name: /^Search/ })
    .last()
    .fill(platform.publisher);
  await button(page, `Switch into ${platform.publisher}`).click();
  await at(page, "/apps");
  const strip = page.getByRole("status").filter({ hasText: "You are in the account of" });
  expect(await strip.innerText()).toContain(platform.publisher);
  const main = page.getByRole("navigation", { name: "Main" }).first();
  expect(await main.getByRole("link", { name: "Logout" }).count()).toBe(0);
  expect(await main.getByRole("link", { name: "Admin Apps" }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await main.getByRole("button", { name: "Return to admin" }).click();
  await page.getByRole("link", { name: "Admin Apps" }).first().waitFor();
  expect(await page.getByText("You are in the account of").count()).toBe(0);
  await context.close();
});

test("a message to support goes out with the page that it was written on", async () => {
  const person = await newPerson(browser, platform);
  const page = await person.context.newPage();
  await page.goto("/profile");
  await button(page, "Support").focus();
  await page.keyboard.press("Enter");
  await isTypedInto(page, "Message");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("This field is required").waitFor();
  await page.getByLabel("Message").fill("Where is my money?");
  await button(page, "Send message").click();
  await button(page, "Close").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByRole("dialog", { name: "Support" }).count()).toBe(0);
  await expect
    .poll(
      async () => (await readMailbox(platform.mailDir)).find(({ text }) => text.includes("Where is my money?"))?.text,
      {
        timeout: 20_000,
      },
    )
    .toMatch(new RegExp(`(?=[^]*${person.email})(?=[^]*/profile)`));
  await person.context.close();
});

test.each(LOOKS)(
  "doors, dialogs, links and the small print fit and are open to everybody at $width px, $scheme",
  async (look) => {
    const context = await visitor(browser, platform, look);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      // The address bar's own request for a page that is not there is no fault.
      if (message.type() === "error" && !message.text().includes("404")) faults.push(message.text());
    });
    for (const [path, shown] of [
      ["/", "Mobile ad mediation"],
      ["/?door=login", "Forgot password?"],
      ["/?door=signup", "What brings you here"],
      ["/?door=recovery", "Remembered it?"],
      ["/login", "Forgot password?"],
      ["/login?error=require_otp_code&service=google&reqid=r", "Use a recovery code instead"],
      ["/login?error=email_not_verify&service=google", "Please verify you email before linking."],
      ["/signup", "What brings you here"],
      ["/signup?error=no_email&service=google&reqid=r&name=Ada", "One thing is missing"],
      ["/signup?error=no_email&service=google&reqid=r&email=ada@example.com", "One thing is left"],
      ["/password-recovery", "Remembered it?"],
      ["/ticket/nonsense", "This link is not active."],
      ["/eula", "Apache License"],
      ["/terms", "Your account"],
      ["/privacy", "Your rights"],
      ["/copyright", "without your permission"],
      ["/no/such/page", "404"],
    ] as const) {
      await page.goto(path);
      await page.getByText(shown).first().waitFor();
      expect([path, await axeFindings(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    for (const [path, submit] of [
      ["/login", "Log in"],
      ["/signup", "Sign up"],
    ] as const) {
      await page.goto(path);
      await button(page, submit).click();
      await page.getByText("Please check highlighted fields before submitting").waitFor();
      expect([path, await axeFindings(page)]).toEqual([path, []]);
    }
    expect(faults).toEqual([]);
    await context.close();
  },
  // Twenty screens, each looked at by axe.
  120_000,
);
