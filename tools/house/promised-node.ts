import { minVersion, satisfies, validRange } from "semver";
import type { SourceFile } from "../gates/source-tree.ts";
import { houseRule } from "./house-rule.ts";

interface Locked {
  version?: string;
  engines?: { node?: string } | string[];
}

/** npm warns of a package whose `engines` leave out the Node.js that runs it: on the least that we promise, there is none. */
export const promisedNode = houseRule(
  "promised node",
  'take a version of the package that runs on the Node.js of package.json\'s "engines", or pin what it needs under "overrides"',
  (files) => {
    const text = (name: string) => files.find(({ path }) => path === name);
    const [manifest, lock] = [text("package.json"), text("package-lock.json")];
    return manifest && lock ? newerThanPromised(manifest, lock) : [];
  },
);

function newerThanPromised(manifest: SourceFile, lock: SourceFile): string[] {
  const { engines } = JSON.parse(manifest.text) as { engines?: { node?: string } };
  const least = minVersion(engines?.node ?? "");
  if (engines?.node === undefined || least === null) return ['package.json promises no Node.js under "engines"'];
  const { packages } = JSON.parse(lock.text) as { packages: Record<string, Locked> };
  return Object.entries(packages).flatMap(([path, { version, engines: wanted }]) => {
    const range = nodeRange(wanted);
    if (range === undefined || satisfies(least, range)) return [];
    return [`${path} ${version ?? ""} wants Node.js ${range}, and package.json promises ${least.version}`];
  });
}

/** Old packages list their engines as texts; what is no range binds nobody, as npm has it. */
function nodeRange(engines: Locked["engines"]): string | undefined {
  const range = Array.isArray(engines)
    ? engines.find((engine) => engine.startsWith("node"))?.slice("node".length)
    : engines?.node;
  return range !== undefined && validRange(range) !== null ? range : undefined;
}
