import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "fixtures"]);
const NOT_BUILT = /\.(?:test|spec)\.tsx?$/;
/** Notes beside the code are no part of what is built from it; the help is built from such files. */
const NOTE = /^(?!docs\/).*\.md$/;

/**
 * A target is up to date when its output exists and the stamp beside it equals the hash of its inputs. Modification times
 * are not used, because a checkout changes them.
 * @param {string} root
 * @param {import("./targets.js").Target} target
 */
export function isUpToDate(root, target) {
  const stamp = stampPath(root, target);
  if (!existsSync(join(root, target.output)) || !existsSync(stamp)) return false;
  return readFileSync(stamp, "utf8") === hashOfInputs(root, target.inputs);
}

/**
 * Marks a target as built from inputs with this hash. Take the hash before the build, so that a change during it counts.
 * @param {string} root
 * @param {import("./targets.js").Target} target
 * @param {string} hash
 */
export function stampTarget(root, target, hash) {
  writeFileSync(stampPath(root, target), hash);
}

/**
 * @param {string} root
 * @param {readonly string[]} inputs
 */
export function hashOfInputs(root, inputs) {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const path of filesBelow(root, input)) {
      hash.update(`${path}\0${fileHash(join(root, path))}\0`);
    }
  }
  return hash.digest("hex");
}

/** Targets share inputs: each file is hashed once per run. @type {Map<string, string>} */
const fileHashes = new Map();

/** @param {string} path */
function fileHash(path) {
  const { mtimeMs, size } = statSync(path);
  const key = `${path}\0${mtimeMs}\0${size}`;
  let found = fileHashes.get(key);
  if (found === undefined) {
    found = createHash("sha256").update(readFileSync(path)).digest("hex");
    fileHashes.set(key, found);
  }
  return found;
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name) && !NOT_BUILT.test(name) && !NOTE.test(`${path}/${name}`))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

/**
 * @param {string} root
 * @param {import("./targets.js").Target} target
 */
function stampPath(root, target) {
  const folder = target.output.slice(0, target.output.lastIndexOf("/"));
  return join(root, folder, `.${target.name}.stamp`);
}
