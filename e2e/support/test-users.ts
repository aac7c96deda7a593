import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, inject } from "vitest";
import type { SignUpRole } from "@millrace/contract";
import { launchBrowser } from "./launch-browser.ts";
import { describePages } from "./on-page.ts";
import { type NewPerson, logIn, signUp } from "./new-person.ts";
import { type Look, type VisitorOptions, visitor } from "./visitor.ts";

/** The users of a test file. Contexts opened in a test close after it; contexts opened in `beforeAll` close with the file. */
export interface People {
  /** A browser context without a session. */
  visitor(options?: VisitorOptions): Promise<BrowserContext>;
  /** Runs with a page of a visitor. */
  withVisitor(run: (page: Page, context: BrowserContext) => Promise<void>): Promise<void>;
  /** The demo's publisher, signed in. */
  publisher(look?: Look): Promise<BrowserContext>;
  /** The demo's admin, signed in. */
  admin(): Promise<BrowserContext>;
  /** Signs in by e-mail and password. */
  signedIn(person: { email: string; password: string }): Promise<BrowserContext>;
  /** Signs up a new user, signed in. */
  newPerson(options?: { role?: SignUpRole; isPlain?: boolean }): Promise<NewPerson>;
  /** Runs with a page of a new user. */
  withPerson(run: (page: Page, person: NewPerson) => Promise<void>): Promise<void>;
  /** Runs with a new user's profile page. */
  withProfile(run: (page: Page, person: NewPerson) => Promise<void>): Promise<void>;
}

/** The e-mail address of the demo's admin. */
export const ADMIN = "admin@demo.test";
/** The e-mail address of the demo's advertiser. */
export const ADVERTISER = "advertiser@demo.test";

/** One browser for the tests of a file, and its users. */
export function testUsers(): People {
  const platform = inject("platform");
  let browser: Browser;
  let contextsOfTest: BrowserContext[] | undefined;

  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });
  beforeEach(() => {
    contextsOfTest = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") {
      const pages = browser.contexts().flatMap((context) => context.pages());
      console.error(`“${task.name}” failed. Open pages:\n\n${await describePages(pages)}`);
      await Promise.all(pages.map((page) => page.close()));
    }
    for (const context of contextsOfTest ?? []) await closeContext(context);
    contextsOfTest = undefined;
  });

  async function openContext(options: VisitorOptions = {}): Promise<BrowserContext> {
    const context = await visitor(browser, platform, options);
    contextsOfTest?.push(context);
    return context;
  }
  async function signedIn(person: { email: string; password: string }, look?: Look): Promise<BrowserContext> {
    const context = await openContext({ look });
    await logIn(context, person);
    return context;
  }
  const newPerson: People["newPerson"] = async ({ role, isPlain = false } = {}) =>
    signUp(await openContext({ isPlain }), platform, role);
  const withPerson: People["withPerson"] = async (run) => {
    const person = await newPerson();
    await run(await person.context.newPage(), person);
  };
  const { publisher, password } = platform;
  return {
    visitor: openContext,
    withVisitor: async (run) => {
      const context = await openContext();
      await run(await context.newPage(), context);
    },
    signedIn,
    publisher: (look) => signedIn({ email: publisher, password }, look),
    admin: () => signedIn({ email: ADMIN, password }),
    newPerson,
    withPerson,
    withProfile: (run) =>
      withPerson(async (page, person) => {
        await page.goto("/profile");
        await page.getByRole("button", { name: "Edit name" }).waitFor();
        await run(page, person);
      }),
  };
}

/** Pending route handlers are ignored, so that they cannot fail a test that is over. */
async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}
