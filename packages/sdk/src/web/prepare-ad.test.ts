import { expect, test } from "vitest";
import { loadFile } from "./prepare-ad.ts";

test("a file that could not be loaded is loaded the next time, although the browser remembers the failure", async () => {
  let isOnline = false;
  /** By address, as browsers have kept it until the page is left (HTML before 2026, "module map"). */
  const modules = new Map<string, object | null>();
  const load = async (url: string) => {
    if (!modules.has(url)) modules.set(url, isOnline ? { name: new URL(url).pathname } : null);
    return modules.get(url) ?? Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  };
  const tried = () => loadFile<{ name: string }>("https://ads.test/", "html.mjs", load);
  for (let times = 0; times < 2; times += 1) await expect(tried()).rejects.toMatchObject({ code: "network" });
  isOnline = true;
  const file = await tried();
  expect(file.name).toBe("/sdk/html.mjs");
  expect(await tried()).toBe(file);
});
