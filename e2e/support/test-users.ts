import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, inject } from "vitest";
import type { SignUpRole } from "@millrace/contract";
import { launchBrowser } from "./launch-browser.ts";
import { type NewPerson, logIn, signUp } from "./new-person.ts";
import { type Look, visitor } from "./visitor.ts";

/** Who meets the platform in the tests of a file. Whom a test brings in is gone after it; whom `beforeAll` does, after the file. */
export interface People {
  /** Somebody whom the platform does not know yet. */
  visitor(options?: { look?: Look; isPlain?: boolean }): Promise<BrowserContext>;
  /** The demo's publisher, signed in. */
  publisher(look?: Look): Promise<BrowserContext>;
  /** One who runs the demo, signed in. */
  admin(): Promise<BrowserContext>;
  /** Whoever has an account, signed in by e-mail and password. */
  signedIn(person: { email: string; password: string }): Promise<BrowserContext>;
  /** Somebody new with an account that nobody else has, signed in. */
  newPerson(options?: { role?: SignUpRole; isPlain?: boolean }): Promise<NewPerson>;
  /** The same with a page of theirs. */
  withPerson(run: (page: Page, person: NewPerson) => Promise<void>): Promise<void>;
}

/** The e-mail address of who runs the demo. */
export const ADMIN = "admin@demo.test";

/** One browser for the tests of a file, and the people in it. */
export function testUsers(): People {
  const platform = inject("platform");
  let browser: Browser;
  let ofTheTest: BrowserContext[] | undefined;

  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });
  beforeEach(() => {
    ofTheTest = [];
  });
  afterEach(async () => {
    for (const context of ofTheTest ?? []) await leave(context);
    ofTheTest = undefined;
  });

  async function comes(options: { look?: Look | undefined; isPlain?: boolean } = {}): Promise<BrowserContext> {
    const context = await visitor(browser, platform, options);
    ofTheTest?.push(context);
    return context;
  }
  async function signedIn(person: { email: string; password: string }, look?: Look): Promise<BrowserContext> {
    const context = await comes({ look });
    await logIn(context, person);
    return context;
  }
  const newPerson: People["newPerson"] = async ({ role, isPlain = false } = {}) =>
    signUp(await comes({ isPlain }), platform, role);
  const { publisher, password } = platform;
  return {
    visitor: comes,
    signedIn,
    publisher: (look) => signedIn({ email: publisher, password }, look),
    admin: () => signedIn({ email: ADMIN, password }),
    newPerson,
    withPerson: async (run) => {
      const person = await newPerson();
      await run(await person.context.newPage(), person);
    },
  };
}

/** What a page's routes still wait for must not fail a test that is over. */
async function leave(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}
