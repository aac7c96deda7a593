import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The program of a child process. Built, it is a file of its own beside `here`; from source it runs through tsx.
 * `here` is the caller's `import.meta.url`.
 */
export function childEntry(
  here: string,
  { source, built }: { source: string; built: string },
): { file: string; execArgv: string[] } {
  if (!here.endsWith(".ts")) return { file: fileURLToPath(new URL(built, here)), execArgv: [] };
  const tsx = pathToFileURL(createRequire(here).resolve("tsx")).href;
  return { file: fileURLToPath(new URL(source, here)), execArgv: ["--import", tsx] };
}
