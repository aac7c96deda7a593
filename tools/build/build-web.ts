import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

/** Builds the dashboard beside the old one and swaps them, so that a running platform always has a whole one. */
export async function buildWeb(root: string): Promise<void> {
  const web = join(root, "web");
  const dist = join(web, "dist");
  const making = join(web, `.dist-making-${process.pid}`);
  const old = join(web, `.dist-old-${process.pid}`);
  try {
    await build({ root: web, logLevel: "warn", build: { outDir: making, emptyOutDir: true } });
    await rename(dist, old).catch(() => undefined);
    await rename(making, dist);
  } finally {
    await Promise.all([making, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
