const HERE = "http://here.invalid";

/** `wanted` if it is a path of this origin as a browser would understand it, else `otherwise`. */
export function ownPath(wanted: unknown, otherwise: string): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || !URL.canParse(wanted, HERE)) return otherwise;
  const url = new URL(wanted, HERE);
  if (url.origin !== HERE || url.pathname.startsWith("//")) return otherwise;
  return url.pathname + url.search + url.hash;
}
