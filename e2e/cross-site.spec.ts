import { type CallName, NAMED_CALLS, type Seed, callSeeds, seedIds } from "@millrace/contract/testing";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { servePage } from "./support/serve-page.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();
let elsewhere: Awaited<ReturnType<typeof servePage>>;
beforeAll(async () => {
  // Another port of the same host is the same site to a browser, so it sends the session cookie.
  elsewhere = await servePage("");
});
afterAll(() => elsewhere?.close());

/** The calls that change state with a session. The exchange's calls ignore cookies and are open to every page. */
const names = (Object.keys(NAMED_CALLS) as CallName[]).filter((name) => {
  const { method, access, changesState } = NAMED_CALLS[name];
  return access !== "device" && name !== "openrtbAuction" && (method !== "GET" || changesState === true);
});

test("a page of another origin cannot change anything, whichever way it sends the request", async () => {
  const { context } = await people.newPerson({ isPlain: true });
  const app = await addApp(context, "android", "Mine");
  const before = await belongings(context, app);
  const page = await context.newPage();
  const answers: { path: string; status: number }[] = [];
  page.on("response", (response) => {
    const url = new URL(response.url());
    if (url.origin === platform.url) answers.push({ path: url.pathname, status: response.status() });
  });
  await page.goto(elsewhere.url);
  const seeds = callSeeds(seedIds({ app, changedApp: app }));
  for (const name of names) await attack(page, seeds[name]);

  const forms = names.filter((name) => ["GET", "POST"].includes(NAMED_CALLS[name].method));
  const unanswered = () => {
    const asked = new Set(answers.map(({ path }) => path));
    return forms.map((name) => seeds[name].path).filter((path) => !asked.has(path));
  };
  await expect.poll(unanswered).toEqual([]);
  expect(answers.filter(({ status }) => status < 400)).toEqual([]);
  expect(await belongings(context, app)).toEqual(before);
});

/** Everything of the user that these calls could change. */
async function belongings(context: BrowserContext, app: string): Promise<unknown[]> {
  const paths = [
    "/profile.json",
    // A comparison ends at the present minute, which changes.
    "/apps.json?compare=none",
    `/apps/${app}/settings.json`,
    `/apps/${app}/rtbext`,
    "/apps/app_ads.json",
  ];
  const replies = await Promise.all(paths.map((path) => context.request.get(path)));
  expect(replies.map((reply) => reply.status())).toEqual(paths.map(() => 200));
  return Promise.all(replies.map((reply) => reply.json() as Promise<unknown>));
}

/** Sends the request as an image, as a form, and by script with and without a preflight. */
async function attack(page: Page, { method, path, query, body = {} }: Seed): Promise<void> {
  const search = query ? `?${new URLSearchParams(query).toString()}` : "";
  await page.evaluate(
    async ({ url, method: how, json }) => {
      const ended = (element: HTMLElement) =>
        new Promise((resolve) => {
          element.addEventListener("load", resolve, { once: true });
          element.addEventListener("error", resolve, { once: true });
          setTimeout(resolve, 20_000);
        });
      const quietly = (init: RequestInit) => fetch(url, { credentials: "include", ...init }).catch(() => undefined);
      if (how === "GET") {
        const picture = new Image();
        const shown = ended(picture);
        picture.src = url;
        await shown;
        await quietly({ mode: "no-cors" });
      } else if (how === "POST") {
        const frame = document.createElement("iframe");
        frame.name = `frame-${Math.random()}`;
        document.body.append(frame);
        const form = document.createElement("form");
        // A text/plain form sends `name=value`: with the equals sign inside a string, that is JSON.
        Object.assign(form, { action: url, method: "POST", enctype: "text/plain", target: frame.name });
        const field = document.createElement("input");
        field.name = `${json.slice(0, -1)}${json === "{}" ? "" : ","}"ignored":"`;
        field.value = '"}';
        form.append(field);
        document.body.append(form);
        const sent = ended(frame);
        form.submit();
        await sent;
        frame.remove();
        await quietly({ mode: "no-cors", method: "POST", headers: { "content-type": "text/plain" }, body: json });
      }
      await quietly({
        method: how,
        headers: { "content-type": "application/json" },
        ...(how !== "GET" && { body: json }),
      });
    },
    { url: platform.url + path + search, method, json: JSON.stringify(body) },
  );
}
