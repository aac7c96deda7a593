import { minVersion, satisfies, validRange } from "semver";
import type { SourceFile } from "../gates/source-tree.ts";
import { houseRule } from "./house-rule.ts";

interface Locked {
  version?: string;
  engines?: { node?: string } | string[];
}

/** npm warns about a package whose `engines` exclude the running Node.js. The oldest supported version must not cause a warning. */
export const promisedNode = houseRule(
  "promised node",
  'use a version of the package that supports the Node.js of package.json\'s "engines", or pin the dependency under "overrides"',
  (files) => {
    const text = (name: string) => files.find(({ path }) => path === name);
    const [manifest, lock] = [text("package.json"), text("package-lock.json")];
    return manifest && lock ? newerThanPromised(manifest, lock) : [];
  },
);

function newerThanPromised(manifest: SourceFile, lock: SourceFile): string[] {
  const { engines } = JSON.parse(manifest.text) as { engines?: { node?: string } };
  const least = minVersion(engines?.node ?? "");
  if (engines?.node === undefined || least === null) return ['package.json has no Node.js version under "engines"'];
  const { packages } = JSON.parse(lock.text) as { packages: Record<string, Locked> };
  return Object.entries(packages).flatMap(([path, { version, engines: wanted }]) => {
    const range = nodeRange(wanted);
    if (range === undefined || satisfies(least, range)) return [];
    return [`${path} ${version ?? ""} requires Node.js ${range}, but package.json supports ${least.version}`];
  });
}

/** Old packages list their engines as an array. Like npm, this ignores anything that is not a valid range. */
function nodeRange(engines: Locked["engines"]): string | undefined {
  const range = Array.isArray(engines)
    ? engines.find((engine) => engine.startsWith("node"))?.slice("node".length)
    : engines?.node;
  return range !== undefined && validRange(range) !== null ? range : undefined;
}
