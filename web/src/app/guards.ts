import { type PageName, type Session, homePage, mayOpen } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import { notFound, redirect } from "@tanstack/react-router";
import { forgetLogin, mayBeLoggedIn, sessionQuery, currentRoleOf } from "../areas/accounts/index.ts";
import { isLoggedOut } from "../shared/call-api.ts";
import { PATHS } from "../shared/paths.ts";

/** The home of a signed-in user: the side they last worked on, otherwise the first page they may open. */
export const homeOf = (session: Session) =>
  PATHS[homePage(session, currentRoleOf(session) === "campaign" ? "campaigns" : "apps")];

interface GuardArgs {
  context: { queryClient: QueryClient };
}

/** The signed-in user, or null. Sends no request for a visitor who never signed in. */
async function signedInUser(queryClient: QueryClient): Promise<Session | null> {
  if (!mayBeLoggedIn(Date.now())) return null;
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" }).catch(() => null);
  if (!session) forgetLogin();
  return session;
}

/** Redirects signed-in users from the auth pages. */
export async function redirectSignedIn({ context }: GuardArgs): Promise<void> {
  const session = await signedInUser(context.queryClient);
  if (!session) return;
  throw redirect({ to: homeOf(session), search: {}, replace: true });
}

/** Redirects a signed-in user to the mailed link's own page. */
export async function toPassVariant({ context, params }: GuardArgs & { params: { ticket: string } }): Promise<void> {
  if (await signedInUser(context.queryClient)) throw redirect({ to: PATHS.ticketPass, params, replace: true });
}

/** Requires a login: visitors are redirected to the landing page, which remembers their destination. */
export async function requireLogin({ context, location }: GuardArgs & { location: { href: string } }): Promise<void> {
  try {
    await context.queryClient.query({ ...sessionQuery, staleTime: "static" });
  } catch (failure) {
    if (!isLoggedOut(failure)) throw failure;
    forgetLogin();
    throw redirect({ to: PATHS.landing, search: { redirect_to: location.href }, replace: true });
  }
}

const PAGE_OF_OLD_TAB = new Map<unknown, "appMediation" | "appZones">([
  ["mediation", "appMediation"],
  ["zones", "appZones"],
]);

/** Redirects bookmarks of the settings page's former tabs to their own pages. */
export function redirectOldTab({
  context,
  params,
  search,
}: GuardArgs & { params: { uuid: string }; search: Readonly<Record<string, unknown>> }): void {
  const page = PAGE_OF_OLD_TAB.get(search["tab"]);
  const session = context.queryClient.getQueryData(sessionQuery.queryKey);
  if (page && session && mayOpen(page, session)) throw redirect({ to: PATHS[page], params, search: {}, replace: true });
}

/** Shows the 404 page if the user lacks the right. `requireLogin` has loaded the session. */
export const requireRight =
  (page: PageName) =>
  ({ context }: GuardArgs): void => {
    const session = context.queryClient.getQueryData(sessionQuery.queryKey);
    if (session && !mayOpen(page, session)) notFound({ throw: true });
  };
