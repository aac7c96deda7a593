// Loaded before dependency-cruiser 17: its swc parser never switches JSX on, so the first page of the web would end the
// whole cruise (https://github.com/sverweij/dependency-cruiser/issues/1081). By the file's name we know better.
import { createRequire } from "node:module";

/** @typedef {(path: string, options: object) => unknown} ParseFile */

const swc = /** @type {{ parseFileSync: ParseFile }} */ (createRequire(import.meta.url)("@swc/core"));
const { parseFileSync } = swc;

/** @type {ParseFile} */
const parseByName = (path, options) =>
  parseFileSync.call(swc, path, { ...options, syntax: "typescript", tsx: path.endsWith("x") });

Object.defineProperty(swc, "parseFileSync", { value: parseByName });
