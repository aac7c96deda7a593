// Loaded before dependency-cruiser 17: its swc parser never switches JSX on, so the first page of the web would end the
// whole cruise (https://github.com/sverweij/dependency-cruiser/issues/1081). By the file's name we know better.
import { createRequire } from "node:module";

/** @type {typeof import("@swc/core")} */
const swc = createRequire(import.meta.url)("@swc/core");
const parseFileSync = swc.parseFileSync;

Object.defineProperty(swc, "parseFileSync", {
  /** @type {typeof parseFileSync} */
  value: (/** @type {string} */ path, /** @type {object} */ options) =>
    parseFileSync(path, { ...options, syntax: "typescript", tsx: path.endsWith("x") }),
});
