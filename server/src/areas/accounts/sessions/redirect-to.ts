/** Where a signed-in person goes first: publishers to their apps, advertisers to their campaigns. */
export const homeOf = (roles: { can_apps: boolean }): string => (roles.can_apps ? "/apps" : "/campaign");

const HERE = "http://here.invalid";

/**
 * `wanted` when it is a path of this origin, else `home`. A path is what a browser would resolve to our own origin, so
 * `//evil`, `/\evil` and `https:` are none; nor are the doors themselves, which would lead in a circle.
 */
export function safeRedirect(wanted: string | undefined, home: string): string {
  if (wanted === undefined || !wanted.startsWith("/")) return home;
  if (!URL.canParse(wanted, HERE)) return home;
  const url = new URL(wanted, HERE);
  // `/.//evil.test` is a path of ours whose normal form, `//evil.test`, is none.
  if (url.origin !== HERE || url.pathname.startsWith("//")) return home;
  if (["/", "/login", "/logout", "/signup"].includes(url.pathname)) return home;
  return url.pathname + url.search + url.hash;
}
