import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { channelSources } from "../channel-sources.ts";
import { compileRoku } from "../compile-roku.ts";

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The parts of the SDK that need no screen and no device. */
const PARTS = ["core", "vast", "ads"];
/** What the tests read: the contract's vectors, and documents of each version of VAST. */
const DATA = {
  vectors: "../../../packages/sdk/vectors",
  documents: "../../../server/src/areas/exchange/markup/fixtures/vast",
};

/** Compiles the parts and their tests as one program, runs it in the interpreter, and returns what it prints. */
export async function runRokuTests(): Promise<string> {
  const sources = await channelSources("tests", "source/tests/");
  for (const part of PARTS) {
    for (const [file, text] of await channelSources(`components/millrace/${part}`, `source/${part}/`))
      sources.set(file, text);
  }
  const folder = await mkdtemp(path.join(tmpdir(), "millrace-roku-"));
  try {
    for (const [file, text] of await compileRoku(sources)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    for (const [name, from] of Object.entries(DATA)) await cp(here(from), path.join(folder, name), { recursive: true });
    const { stdout } = await run(process.execPath, ["--max-semi-space-size=64", here("run-brs.js"), folder], {
      // The interpreter reports each text that is no JSON, unless it is tested.
      env: { ...process.env, NODE_ENV: "test" },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
