import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { REASONS } from "@millrace/auction";
import { CALLS, NOT_COUNTED_TEXTS, PARTNER_RESULTS, SPENDING_REASONS, TEXTS, TICKET_ERRORS } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { PRIVACY_RULES } from "../../server/src/areas/exchange/privacy/privacy-table.ts";
import { SETTING_NAMES } from "../../server/src/platform/settings.ts";
import { picturePath, pictureSize } from "../../docs/help/.vitepress/markdown.ts";
import { SIDEBAR } from "../../docs/help/.vitepress/sidebar.ts";
import { isTest, sourcePaths } from "../gates/source-tree.ts";
import { anchorOfCall } from "./api-reference.ts";
import { EXPLAINED_METRICS } from "./explained-metrics.ts";
import { helpPages, screensIn } from "./help-pages.ts";
import { withParts } from "./reference.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let pages: Map<string, string>;
beforeAll(async () => {
  pages = await helpPages(root);
});

/** The anchors of a page: those that headings name, and those that VitePress makes of other headings. */
function anchorsOf(page: string): Set<string> {
  const withoutCode = page.replaceAll(/^```[\s\S]*?^```/gm, "");
  return new Set(
    [...withoutCode.matchAll(/^#{1,6} (.+?)(?: \{#([^}]+)\})?$/gm)].map(
      ([, title = "", id]) =>
        id ??
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\d]+/gu, "-")
          .replaceAll(/^-|-$/g, ""),
    ),
  );
}

/** Why an address of the help leads nowhere: `/reasons#below_floor`; undefined if it does lead somewhere. */
function faultOf(address: string): string | undefined {
  const [path = "", anchor] = address.split("#");
  const page = pages.get(path);
  if (page === undefined) return `${address}: no such page`;
  return anchor === undefined || anchorsOf(page).has(anchor) ? undefined : `${address}: no such anchor`;
}

const anchorsAt = (path: string) => anchorsOf(pages.get(path) ?? "");

test.each([
  ["/reasons", [...Object.keys(REASONS), ...PARTNER_RESULTS]],
  ["/not-counted", Object.keys(NOT_COUNTED_TEXTS)],
  ["/spending", [...SPENDING_REASONS]],
  ["/privacy", Object.keys(PRIVACY_RULES)],
  ["/messages", [...Object.keys(TEXTS), ...Object.keys(TICKET_ERRORS).map((code) => `ticket_${code}`)]],
  ["/metrics", Object.keys(EXPLAINED_METRICS)],
  ["/self-hosting/settings", SETTING_NAMES.map((name) => name.toLowerCase().replaceAll("_", "-"))],
])("%s has an anchor for each code that it explains, and an explanation below it", (path, codes) => {
  expect(codes.length).toBeGreaterThan(9);
  expect(codes.filter((code) => !anchorsAt(path).has(code))).toEqual([]);
  const page = pages.get(path) ?? "";
  const empty = codes.filter((code) => !new RegExp(`\\{#${code}\\}\\n\\n\\S[^\\n]{10}`).test(page));
  expect(empty).toEqual([]);
});

test("every figure with a label on the statistics pages is explained under the same label", async () => {
  const words = await readFile(join(root, "web/src/areas/statistics/metric-words.ts"), "utf8");
  const [, table = ""] = /export const METRIC_WORDS = \{([\s\S]*?)\n\} as const/.exec(words) ?? [];
  const labels = [...table.matchAll(/^ {2}(\w+): (?:\w+\("([^"]+)"\)|\{[^}]*?label: "([^"]+)")/gm)].map(
    ([, figure = "", one, other]) => [figure, one ?? other],
  );
  expect(labels.length).toBeGreaterThan(12);
  expect(labels).toEqual(
    labels.map(([figure = ""]) => [figure, (EXPLAINED_METRICS as Record<string, readonly string[]>)[figure]?.[0]]),
  );
});

test("every call of the contract is in the reference, on its area's page", () => {
  const missing = Object.entries(CALLS).flatMap(([area, calls]) =>
    calls.map(({ method, path }) => faultOf(`/api/${area}#${anchorOfCall(method, path)}`)),
  );
  expect(missing.length).toBeGreaterThan(150);
  expect(missing.filter((fault) => fault !== undefined)).toEqual([]);
});

test("a field of several types names them in words", () => {
  const api = [...pages].filter(([path]) => path.startsWith("/api/"));
  expect(api.some(([, page]) => page.includes("string or null"))).toBe(true);
  expect(api.flatMap(([path, page]) => [...page.matchAll(/\w+,null/g)].map(([types]) => `${path}: ${types}`))).toEqual(
    [],
  );
});

test("every metric of our own that the server declares is on the page of monitoring", async () => {
  const paths = (await sourcePaths(join(root, "server/src"))).filter((path) => path.endsWith(".ts") && !isTest(path));
  const sources = await Promise.all(paths.map((path) => readFile(join(root, "server/src", path), "utf8")));
  const names = new Set(sources.flatMap((source) => source.match(/(?<=")millrace_[a-z_]+(?=")/g) ?? []));
  expect(names.size).toBeGreaterThan(7);
  expect([...names].filter((name) => !anchorsAt("/self-hosting/monitoring").has(name))).toEqual([]);
});

test("no link within the help is dead", () => {
  const faults = [...pages].flatMap(([path, page]) =>
    [...page.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/\]\(([/#][^)\s]*)\)/g)].flatMap(([, target = ""]) => {
      const fault = faultOf(target.startsWith("#") ? path + target : target);
      return fault === undefined ? [] : `${path}: ${fault}`;
    }),
  );
  expect(faults).toEqual([]);
});

test("every picture of a screen on a page is there, in both colour schemes", async () => {
  const screens = [...pages.values()].flatMap(screensIn);
  expect(screens.length).toBeGreaterThan(4);
  const kept = new Set(await readdir(join(root, "docs/screens")));
  const wanted = screens.flatMap((screen) => [picturePath(screen, "light"), picturePath(screen, "dark")]);
  expect(wanted.filter((path) => !kept.has(basename(path)))).toEqual([]);
});

test("the size of a picture is read from its file, so that a page keeps its place", async () => {
  const screens = [...pages.values()].flatMap(screensIn);
  const sizes = screens.map((screen) => pictureSize(join(root, "docs", picturePath(screen, "dark"))));
  expect([...new Set(sizes.map(({ width }) => width))]).toEqual([1440]);
  expect(sizes.filter(({ height }) => height < 900 || height > 1600)).toEqual([]);
  const lossy = join(root, "web/src/areas/site/landing/pictures/statistics-light.webp");
  expect(() => pictureSize(lossy)).toThrow(/no lossless WebP/);
});

test("no link from a screen to the help is dead", async () => {
  const paths = (await sourcePaths(join(root, "web/src"))).filter((path) => path.endsWith(".tsx"));
  const sources = await Promise.all(paths.map((path) => readFile(join(root, "web/src", path), "utf8")));
  const targets = sources.flatMap((source) =>
    [...source.matchAll(/<HelpLink to=(?:"([^"]*)"|\{`([^`]*)`\})/g)].map(([, fixed, code]) => `/${fixed ?? code}`),
  );
  expect(targets.length).toBeGreaterThan(10);
  // The code in a template is one of those that the first test looks for.
  const faults = targets.map((target) => faultOf(target.replace(/#\$\{.*$/, "")));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

test("the sidebar leads to every page", async () => {
  const listed = SIDEBAR.flatMap(({ items }) => items?.map(({ link = "" }) => link) ?? []);
  const written = [...pages.keys()].filter((path) => path !== "/" && !(path.startsWith("/api/") && path !== "/api/"));
  expect(new Set(listed)).toEqual(new Set(written));
  expect(listed.length).toBe(written.length);
  expect((await readdir(join(root, "docs/help"), { recursive: true })).length).toBeGreaterThan(30);
});

test("a page that asks for a part that does not exist stops the build", () => {
  expect(withParts("a\n<!-- known -->\nb", { known: "text" })).toBe("a\ntext\nb");
  expect(() => withParts("<!-- unknown -->", {})).toThrow("unknown");
});
