import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { capacitorSnippet } from "@millrace/capacitor/snippet";
import { reactSnippet } from "@millrace/react/snippet";
import { adPage } from "@millrace/react-native/ad-page";
import { build } from "esbuild";
import { unzipSync } from "fflate";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { AWAITED } from "./support/timing.ts";

const platform = inject("platform");
const sdk = sdkBrowser();
const KEY = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const run = promisify(execFile);
let app = "";
let server: AdServer;
let context: BrowserContext;
let page: Page;

/** An app that has installed the packages from the platform. */
beforeAll(async () => {
  app = await mkdtemp(path.join(tmpdir(), "millrace-app-"));
  for (const name of ["react", "capacitor"]) {
    const reply = await fetch(`${platform.url}/sdk/${name}.tgz`);
    const archive = path.join(app, `${name}.tgz`);
    await writeFile(archive, Buffer.from(await reply.arrayBuffer()));
    const folder = path.join(app, "node_modules/@millrace", name);
    await mkdir(folder, { recursive: true });
    await run("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
  }
});
afterAll(() => rm(app, { recursive: true }));

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

/** Opens a page with this script, bundled as apps bundle theirs. */
async function openApp(text: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: app, loader: "tsx" },
    nodePaths: [fileURLToPath(new URL("../node_modules", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "error",
  });
  const script = outputFiles[0]?.text.replaceAll("</script", String.raw`<\/script`) ?? "";
  const html = `<!doctype html><meta charset="utf-8"><title>App</title><div id="root"></div><script type="module">${script}</script>`;
  server.files.set("/app", { type: "text/html", body: html });
  await page.goto(`${server.endpoint}/app`);
}

const requests = () => server.paths.filter((requested) => requested === "/sdk/v1/ad").length;
const shownFrames = () => page.locator("iframe[title='Advertisement']").count();

test("the React snippet shows its ads in strict mode, with one request for each", async () => {
  await openApp(`import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
${reactSnippet({ key: KEY, publicUrl: server.endpoint })}
createRoot(document.querySelector("#root")!).render(
  <StrictMode><Level onNext={() => (document.title = "Next")} /></StrictMode>,
);`);
  await expect.poll(shownFrames).toBe(1);
  await vi.waitFor(() => expect(server.received).toContain("impression 0"), AWAITED);
  await expect.poll(requests).toBe(2);
  await page.getByText("Next level").click();
  await page.locator("dialog[open] iframe").waitFor();
  await page.getByRole("button", { name: "Close ad", exact: true }).click();
  await expect.poll(() => page.title()).toBe("Next");
  expect(requests()).toBe(2);
});

test("the Capacitor snippet shows a banner at the bottom and a full-screen ad over it", async () => {
  await openApp(`${capacitorSnippet({ key: KEY, publicUrl: server.endpoint })}
Object.assign(window, { showFullScreenAd });`);
  await expect.poll(shownFrames).toBe(1);
  await expect
    .poll(() => page.locator("iframe[title='Advertisement']").boundingBox())
    .toMatchObject({ x: 20, y: 590, width: 320, height: 50 });
  await expect.poll(requests).toBe(2);
  await expect.poll(() => page.evaluate("typeof showFullScreenAd")).toBe("function");
  await page.evaluate("void showFullScreenAd()");
  await page.locator("dialog[open] iframe").waitFor();
  expect(server.inits).toMatchObject([{ app: KEY, platform: "others" }]);
});

test("the debugger opens over a Capacitor app", async () => {
  await openApp(`import { Millrace } from "@millrace/capacitor";
Object.assign(window, {
  async debug() {
    await Millrace.initialize({ app: "${KEY}", endpoint: "${server.endpoint}" });
    return Millrace.showDebugger();
  },
});`);
  await expect.poll(() => page.evaluate("typeof debug")).toBe("function");
  expect(await page.evaluate("debug()")).toEqual({ ok: true });
  await page.getByRole("dialog").getByRole("heading", { name: "Set-up" }).waitFor();
});

test("the page of React Native's web view shows an ad, and tells of its start and its click", async () => {
  const nonce = "the-nonce";
  const { endpoint } = server;
  const beacons = { impression: `${endpoint}/b`, click: `${endpoint}/b`, loss: `${endpoint}/b` };
  const markup = { type: "html", content: `<a href="${endpoint}/landing">buy</a><script>1</script>` } as const;
  const ad = { provider: "partner", format: "banner", markup, w: 320, h: 50, revenue_micros: 1, beacons } as const;
  const html = adPage({ ad, format: "banner", endpoint, nonce, isFullScreen: false, skipAfter: undefined });
  server.files.set("/view", { type: "text/html", body: html });
  await page.addInitScript(`window.told = [];
    window.ReactNativeWebView = { postMessage: (text) => window.told.push(JSON.parse(text)) };`);
  await page.goto(`${endpoint}/view`);
  const told = () => page.evaluate("window.told");
  await expect.poll(told).toEqual([{ nonce, type: "started" }]);
  await page.frameLocator("#place iframe").frameLocator("iframe").getByText("buy").click();
  await expect.poll(told).toEqual([
    { nonce, type: "started" },
    { nonce, type: "clicked" },
    { nonce, type: "open", url: `${endpoint}/landing` },
  ]);
});

test("the Roku SDK is served as an archive", async () => {
  const reply = await fetch(`${platform.url}/sdk/roku.zip`);
  expect(reply.headers.get("content-type")).toBe("application/zip");
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()));
  expect(Object.keys(files)).toContain("components/millrace/Millrace.xml");
});
