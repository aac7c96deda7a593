import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { packFiles } from "./pack-files.ts";

/** Builds the dashboard beside the old one and swaps them, so that a running platform always has a whole one. */
export async function buildWeb(root: string): Promise<void> {
  const web = join(root, "web");
  const dist = join(web, "dist");
  const making = join(web, `.dist-making-${process.pid}`);
  const old = join(web, `.dist-old-${process.pid}`);
  // Whoever asks for the build, a test too: with another word here React's slow half for developers is what gets built.
  process.env["NODE_ENV"] = "production";
  try {
    await build({ root: web, logLevel: "warn", build: { outDir: making, emptyOutDir: true } });
    await packFiles(join(making, "assets"));
    await rename(dist, old).catch(() => undefined);
    await rename(making, dist);
  } finally {
    await Promise.all([making, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
