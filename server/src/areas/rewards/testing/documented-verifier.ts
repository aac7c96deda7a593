import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Verifier {
  isGenuine(url: string, keysUrl: string, app: string): Promise<boolean>;
}

/** The verifier of the documentation, as a publisher copies it. */
export async function documentedVerifier(): Promise<Verifier> {
  const page = await readFile(new URL("../../../../../docs/rewards.md", import.meta.url), "utf8");
  const dir = await mkdtemp(join(tmpdir(), "verify-"));
  const file = join(dir, "verify.mjs");
  await writeFile(file, /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
  const verifier = (await import(pathToFileURL(file).href)) as Verifier;
  await rm(dir, { recursive: true });
  return verifier;
}
