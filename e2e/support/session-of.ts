import type { Profile, Session } from "@millrace/contract";
import type { BrowserContext } from "playwright-core";

/** The headers that the dashboard's own pages send. */
export const OWN_PAGE = { accept: "application/json", "sec-fetch-site": "same-origin" };

export const sessionOf = async ({ request }: BrowserContext): Promise<Session> =>
  (await (await request.get("/session.json")).json()) as Session;

/** 200 with a session, 401 without. */
export const sessionStatus = async ({ request }: BrowserContext): Promise<number> =>
  (await request.get("/session.json")).status();

export const profileOf = async ({ request }: BrowserContext): Promise<Profile> =>
  (await (await request.get("/profile.json")).json()) as Profile;

/** The days until the session cookie expires; 0 without one. */
export async function daysSignedIn(context: BrowserContext): Promise<number> {
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith("millrace"));
  return cookie === undefined ? 0 : (cookie.expires - Date.now() / 1000) / 86_400;
}
