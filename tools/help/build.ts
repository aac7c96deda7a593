import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { LIGHT, brandSvg, switchedBrandStyle } from "../../server/src/platform/brand.ts";
import { compressFiles } from "../build/build-web.ts";
import { picturePath, SMALL_WIDTH, smallPicturePath } from "../../docs/help/.vitepress/markdown.ts";
import { helpPages, screensIn } from "./help-pages.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const vitepress = join(dirname(createRequire(import.meta.url).resolve("vitepress/package.json")), "bin/vitepress.js");

/**
 * Builds the help centre: a copy of `docs/help` with the parts that are generated from code, built by VitePress and swapped in,
 * so that a running platform always serves a complete build.
 */
export async function buildHelp(dist: string): Promise<void> {
  const site = join(root, `.cache/help-${process.pid}`);
  const old = join(root, `.cache/help-old-${process.pid}`);
  try {
    await cp(join(root, "docs/help"), site, { recursive: true, filter: (path) => path !== dist });
    const pages = await helpPages(root);
    await fillPages(site, pages);
    await mkdir(join(site, "public/screens"), { recursive: true });
    await copyPictures(site, pages);
    await writeFile(join(site, "public/mark.svg"), brandSvg(24, LIGHT.accentLine));
    await writeFile(join(site, ".vitepress/theme/colours.css"), switchedBrandStyle("dark"));
    await runVitePress(site);
    const distDir = join(site, ".vitepress/dist");
    await writeFile(join(distDir, "inline-scripts.json"), JSON.stringify(await inlineScripts(distDir)));
    const folders = (await readdir(distDir, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    await Promise.all([distDir, ...folders.map(({ parentPath, name }) => join(parentPath, name))].map(compressFiles));
    await rename(dist, old).catch(() => undefined);
    await rename(distDir, dist);
  } finally {
    await Promise.all([site, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

type HelpPages = ReadonlyMap<string, string>;

/** Writes the pages with their generated parts over their copies. */
async function fillPages(site: string, pages: HelpPages): Promise<void> {
  for (const [address, page] of pages) {
    await writeFile(join(site, address.endsWith("/") ? `${address}index.md` : `${address}.md`), page);
  }
}

/** Copies the pictures of the screens that pages name, in both colour schemes and both widths. */
async function copyPictures(site: string, pages: HelpPages): Promise<void> {
  const named = new Set([...pages.values()].flatMap(screensIn));
  const paths = [...named].flatMap((screen) => [picturePath(screen, "light"), picturePath(screen, "dark")]);
  await Promise.all(
    paths.map(async (path) => {
      const picture = join(root, "docs", path);
      await cp(picture, join(site, "public", path));
      const small = sharp(picture).resize({ width: SMALL_WIDTH }).webp({ quality: 80, effort: 6 });
      await small.toFile(join(site, "public", smallPicturePath(path)));
    }),
  );
}

async function runVitePress(site: string): Promise<void> {
  try {
    await run(process.execPath, [vitepress, "build", site], { maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`VitePress failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** The hashes of the inline scripts of all pages, as a Content-Security-Policy has them. */
async function inlineScripts(made: string): Promise<string[]> {
  const pages = (await readdir(made, { recursive: true })).filter((name) => name.endsWith(".html"));
  const hashes = new Set<string>();
  for (const name of pages) {
    const html = await readFile(join(made, name), "utf8");
    for (const [, script = ""] of html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)) {
      hashes.add(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    }
  }
  return [...hashes].toSorted();
}
