import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = fileURLToPath(new URL("../core/src", import.meta.url));
const manifest = createRequire(import.meta.url).resolve("kotlin-compiler/package.json");
const jar = (name: string) => path.join(path.dirname(manifest), "lib", `${name}.jar`);
const COMPILER = ["kotlin-compiler", "kotlin-stdlib", "kotlin-script-runtime", "kotlin-reflect"];

/** Starts quickly and stays small: the programs run for seconds, beside other tests. */
const JVM = ["-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx700m"];
/** Bytecode for Android; a warning is an error. */
const OPTIONS = ["-no-stdlib", "-no-reflect", "-jvm-target", "1.8", "-Werror", "-cp", jar("kotlin-stdlib")];

/**
 * Compiles the core and its tests, and returns the folder of classes. Unchanged sources are not compiled again. Throws an
 * error with the compiler's messages.
 */
export async function compileKotlin(java: string): Promise<string> {
  const cache = path.join(root, "node_modules/.cache/kotlin");
  const classes = path.join(cache, await hashOfSources());
  if (existsSync(classes)) return classes;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(path.join(cache, "making-"));
  const compiler = [...COMPILER, "kotlinx-coroutines-core-jvm", "annotations-13.0"].map(jar).join(path.delimiter);
  const main = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler";
  try {
    await run(java, [...JVM, "-cp", compiler, main, ...OPTIONS, "-d", made, sources]);
    for (const old of await readdir(cache)) if (!old.startsWith("making-")) await remove(path.join(cache, old));
    await rename(made, classes).catch(async (cause: NodeJS.ErrnoException) => {
      // Another run has compiled the same sources in the meantime.
      if (cause.code !== "ENOTEMPTY" && cause.code !== "EEXIST") throw cause;
      await remove(made);
    });
    return classes;
  } catch (cause) {
    await remove(made);
    throw new Error(`Kotlin does not compile: ${String((cause as { stderr?: string }).stderr)}`, { cause });
  }
}

/** Runs the function `main` of a compiled class, and returns what it prints. */
export async function runKotlin(java: string, classes: string, main: string, args: string[]): Promise<string> {
  const classPath = [classes, jar("kotlin-stdlib")].join(path.delimiter);
  const { stdout } = await run(java, [...JVM, "-cp", classPath, main, ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true });

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256")
    .update(OPTIONS.join(" "))
    .update(await readFile(manifest));
  for (const name of (await readdir(sources, { recursive: true })).filter((name) => name.endsWith(".kt")).toSorted())
    hash.update(`\0${name}\0`).update(await readFile(path.join(sources, name)));
  return hash.digest("hex").slice(0, 32);
}
