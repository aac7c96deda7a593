import { randomBytes } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { OWN_PAGE } from "./session-of.ts";

/** Sets a global if it is ever treated as markup. */
export const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

/** Whether a `SCRIPT` ran in the page. */
export const isHacked = (page: Page): Promise<boolean> => page.evaluate(() => "hacked" in window);

/** Platforms whose stores identify an app by name instead of by bundle id. */
const NAMED = ["roku", "firetv", "amazon", "tizentv"];

/** Adds an app in development through the dialog that a user without apps sees, and returns its id. */
export async function addAppByHand(page: Page, { kind, name }: { kind: string; name: string }): Promise<string> {
  await page.goto("/apps");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: /In development/ }).click();
  await page.getByLabel("Platform").selectOption(kind);
  await page.getByLabel(NAMED.includes(kind) ? "Name" : "Bundle ID", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Add app", exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}\/settings/);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

/** Adds an app in development through the API, and returns its id. */
export async function addApp({ request }: BrowserContext, kind: string, name: string): Promise<string> {
  const bundle_id = `com.example.a${randomBytes(6).toString("hex")}`;
  const data = { type: "apps", dev: 1, platform: kind, name, ...(NAMED.includes(kind) ? {} : { bundle_id }) };
  const reply = await request.post("/apps/add_app", { data, headers: OWN_PAGE });
  if (!reply.ok()) throw new Error(`Adding an app was answered ${reply.status()}: ${await reply.text()}`);
  return ((await reply.json()) as { uuid: string }).uuid;
}
