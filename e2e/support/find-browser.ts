import { spawnSync } from "node:child_process";
import { constants, accessSync, existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of Chromium or Chrome. Installs Debian's package when run as root, and otherwise throws an error that says what is missing. */
export function findBrowser(): string {
  const found = installedBrowser();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    const apt = (...args: string[]) =>
      spawnSync("apt-get", args, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    apt("update");
    apt("install", "-y", "--no-install-recommends", "chromium");
    const installed = installedBrowser();
    if (installed) return installed;
  }
  throw new Error("The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH.");
}

function installedBrowser(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).concat("/usr/bin", "/usr/local/bin");
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const named = process.env["CHROMIUM_PATH"];
  return [...(named ? [named] : []), ...places, chromium.executablePath()].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
