import { spawnSync } from "node:child_process";
import { constants, accessSync, existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

/** Chromium without windows. It draws the same pages in two thirds of the processor's time. */
const HEADLESS = "chromium-headless-shell";
const WITH_WINDOWS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const INSTALL_MS = 180_000;

/** The path of Chromium or Chrome. Installs Debian's package when run as root, and otherwise throws an error that says what is missing. */
export function findBrowser(): string {
  const find = () => installed([...WITH_WINDOWS, HEADLESS]) ?? playwrightChromium();
  const found = find();
  if (found !== undefined) return found;
  install("chromium");
  const browser = find();
  if (browser !== undefined) return browser;
  throw new Error("The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH.");
}

/** The path of the quickest browser. */
export const findQuickBrowser = (): string => installed([HEADLESS]) ?? findBrowser();

/** Installs the quickest browser for continuous integration. Where it cannot be fetched, the tests run in the one that is there. */
export function provideQuickBrowser(): void {
  if (process.env["CI"] !== undefined && installed([HEADLESS]) === undefined) install(HEADLESS);
}

/** Installs a package on Debian, as root. */
function install(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]])
    spawnSync("apt-get", args, { stdio: "ignore", env, timeout: INSTALL_MS });
}

/** The program that CHROMIUM_PATH names, or the first of these on the machine. */
function installed(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).concat("/usr/bin", "/usr/local/bin");
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const named = process.env["CHROMIUM_PATH"];
  return [...(named ? [named] : []), ...places].find(isExecutable);
}

function playwrightChromium(): string | undefined {
  const file = chromium.executablePath();
  return isExecutable(file) ? file : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
