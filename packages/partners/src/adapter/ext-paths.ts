import { isObject } from "@millrace/openrtb";

/** Reads the value at a path of an `ext`, such as `prebid.type`: undefined without one, and never an inherited one. */
export function atPath(path: string): (ext: unknown) => unknown {
  const names = path.split(".");
  return (ext) =>
    names.reduce((node, name) => (isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined), ext);
}

/** Reads the first of these paths that has text; empty text is none. */
export function textAt(...paths: readonly string[]): (ext: unknown) => string | undefined {
  const reads = paths.map(atPath);
  return (ext) => {
    for (const read of reads) {
      const value = read(ext);
      if (typeof value === "string" && value !== "") return value;
    }
    return undefined;
  };
}
