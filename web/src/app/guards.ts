import { type PageName, type Session, homePage, mayOpen } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import { notFound, redirect } from "@tanstack/react-router";
import { forgetLogin, mayBeLoggedIn, sessionQuery, currentRoleOf } from "../areas/accounts/index.ts";
import { isLoggedOut } from "../shared/call-api.ts";
import { PATHS } from "../shared/paths.ts";

/** Where somebody who is signed in comes home to: the side they last worked on, or else the first page they may open. */
export const homeOf = (session: Session) =>
  PATHS[homePage(session, currentRoleOf(session) === "campaign" ? "campaigns" : "apps")];

interface Asked {
  context: { queryClient: QueryClient };
}

/** Who is signed in in this browser, or null; a visitor who never was is not asked about. */
async function whoIsIn(queryClient: QueryClient): Promise<Session | null> {
  if (!mayBeLoggedIn(Date.now())) return null;
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" }).catch(() => null);
  if (!session) forgetLogin();
  return session;
}

/** Somebody who is signed in has nothing to do at the doors. */
export async function leaveWhenLoggedIn({ context }: Asked): Promise<void> {
  const session = await whoIsIn(context.queryClient);
  if (session) throw redirect({ to: homeOf(session), search: {}, replace: true });
}

/** A mailed link has a page of its own for who is signed in. */
export async function toPassVariant({ context, params }: Asked & { params: { ticket: string } }): Promise<void> {
  if (await whoIsIn(context.queryClient)) throw redirect({ to: PATHS.ticketPass, params, replace: true });
}

/** Everything behind the sign-in: a logged-out visitor is sent to the landing page, which remembers where to. */
export async function demandLogin({ context, location }: Asked & { location: { href: string } }): Promise<void> {
  try {
    await context.queryClient.query({ ...sessionQuery, staleTime: "static" });
  } catch (failure) {
    if (!isLoggedOut(failure)) throw failure;
    forgetLogin();
    throw redirect({ to: PATHS.landing, search: { redirect_to: location.href }, replace: true });
  }
}

/** A page without the right to it is not there. The session is known: `demandLogin` has asked for it. */
export const demandRight =
  (page: PageName) =>
  ({ context }: Asked): void => {
    const session = context.queryClient.getQueryData(sessionQuery.queryKey);
    if (session && !mayOpen(page, session)) notFound({ throw: true });
  };
