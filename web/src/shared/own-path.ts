const HERE = "http://here.invalid";

/** `wanted` if a browser resolves it to a path of this origin, otherwise `otherwise`. */
export function ownPath(wanted: unknown, otherwise: string): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || !URL.canParse(wanted, HERE)) return otherwise;
  const url = new URL(wanted, HERE);
  if (url.origin !== HERE || url.pathname.startsWith("//")) return otherwise;
  return url.pathname + url.search + url.hash;
}
