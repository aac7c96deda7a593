// Preloaded for dependency-cruiser 17, whose swc parser never enables JSX and fails on the first .tsx file
// (https://github.com/sverweij/dependency-cruiser/issues/1081). This enables JSX by file extension.
import { createRequire } from "node:module";

/** @typedef {(path: string, options: object) => unknown} ParseFile */

const swc = /** @type {{ parseFileSync: ParseFile }} */ (createRequire(import.meta.url)("@swc/core"));
const { parseFileSync } = swc;

/** @type {ParseFile} */
const parseByName = (path, options) =>
  parseFileSync.call(swc, path, { ...options, syntax: "typescript", tsx: path.endsWith("x") });

Object.defineProperty(swc, "parseFileSync", { value: parseByName });
