import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildWeb } from "./build/build-web.ts";
import { bundleNode } from "./build/bundle-node.ts";
import { hashOfInputs, isUpToDate, stampTarget } from "./build/stamp.js";
import { TARGETS, type Target } from "./build/targets.js";

// `npm run build`: makes what is not up to date, side by side, and prints a line for each. `--force` makes everything.

const root = fileURLToPath(new URL("..", import.meta.url));
const force = process.argv.includes("--force");

async function make(target: Target): Promise<void> {
  if (target.name === "web") return buildWeb(root);
  if (target.entry.endsWith("/build.ts")) return runBuildScript(target);
  return bundleNode(root, target.entry, target.output);
}

/** A build script has one export: a function of the folder to build into. */
async function runBuildScript({ entry, output }: Target): Promise<void> {
  const script = (await import(pathToFileURL(join(root, entry)).href)) as Record<
    string,
    (outDir: string) => Promise<void>
  >;
  const [build] = Object.values(script);
  if (!build) throw new Error(`${entry} exports no function`);
  return build(join(root, dirname(output)));
}

/** Makes one target when it is needed; false when it could not be made. */
async function makeIfNeeded(target: Target): Promise<boolean> {
  const name = target.name.padEnd(12);
  if (!force && isUpToDate(root, target)) {
    console.log(`build ${name} up to date`);
    return true;
  }
  const start = performance.now();
  const hash = hashOfInputs(root, target.inputs);
  try {
    await make(target);
    stampTarget(root, target, hash);
  } catch (error) {
    console.error(`build ${name} FAILED\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  console.log(`build ${name} ${Math.round(performance.now() - start)} ms`);
  return true;
}

const made = await Promise.all(TARGETS.map(makeIfNeeded));
process.exitCode = made.every(Boolean) ? 0 : 1;
