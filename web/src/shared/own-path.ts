const HERE = "http://here.invalid";

/** `wanted` if a browser resolves it to a path of this origin, otherwise `otherwise`. */
export function ownPath(path: unknown, otherwise: string): string {
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, HERE)) return otherwise;
  const url = new URL(path, HERE);
  if (url.origin !== HERE || url.pathname.startsWith("//")) return otherwise;
  return url.pathname + url.search + url.hash;
}
