import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildWeb } from "./build/build-web.ts";
import { bundleNode } from "./build/bundle-node.ts";
import { packSdks } from "./build/pack-sdks.ts";
import { hashOfInputs, isUpToDate, stampTarget } from "./build/stamp.js";
import { TARGETS, type Target } from "./build/targets.js";

// `npm run build`: builds the targets that are out of date, in parallel, with one line of output each. `--force` builds all.

const root = fileURLToPath(new URL("..", import.meta.url));
const force = process.argv.includes("--force");

async function build(target: Target): Promise<void> {
  if (target.name === "web") return buildWeb(root);
  if (target.name === "sdk-packages") return packSdks(root, join(root, dirname(target.output)));
  if (target.entry.endsWith("/build.ts")) return runBuildScript(target);
  return bundleNode(root, target.entry, target.output);
}

/** A build script exports one function, which takes the output folder. */
async function runBuildScript({ entry, output }: Target): Promise<void> {
  const script = (await import(pathToFileURL(join(root, entry)).href)) as Record<
    string,
    (outDir: string) => Promise<void>
  >;
  const [run] = Object.values(script);
  if (!run) throw new Error(`${entry} exports no function`);
  return run(join(root, dirname(output)));
}

/** Builds a target if it is out of date. False means that the build failed. */
async function buildIfNeeded(target: Target): Promise<boolean> {
  const name = target.name.padEnd(12);
  if (!force && isUpToDate(root, target)) {
    console.log(`build ${name} up to date`);
    return true;
  }
  const start = performance.now();
  const hash = hashOfInputs(root, target.inputs);
  try {
    await build(target);
    stampTarget(root, target, hash);
  } catch (error) {
    console.error(`build ${name} FAILED\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  console.log(`build ${name} ${Math.round(performance.now() - start)} ms`);
  return true;
}

const built = await Promise.all(TARGETS.map(buildIfNeeded));
process.exitCode = built.every(Boolean) ? 0 : 1;
