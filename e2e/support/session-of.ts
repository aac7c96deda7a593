import type { Profile, Session } from "@millrace/contract";
import type { BrowserContext } from "playwright-core";

/** What a page of ours sends with its calls. */
export const OWN_PAGE = { accept: "application/json", "sec-fetch-site": "same-origin" };

/** Who is signed in here. */
export const sessionOf = async ({ request }: BrowserContext): Promise<Session> =>
  (await (await request.get("/session.json")).json()) as Session;

/** 200 where somebody is signed in, 401 where nobody is. */
export const sessionStatus = async ({ request }: BrowserContext): Promise<number> =>
  (await request.get("/session.json")).status();

/** The profile of who is signed in here. */
export const profileOf = async ({ request }: BrowserContext): Promise<Profile> =>
  (await (await request.get("/profile.json")).json()) as Profile;

/** For how many days from now the browser keeps who is signed in; 0 where nobody is. */
export async function daysSignedIn(context: BrowserContext): Promise<number> {
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith("millrace"));
  return cookie === undefined ? 0 : (cookie.expires - Date.now() / 1000) / 86_400;
}
