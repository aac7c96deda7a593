import type { AppParts } from "@millrace/contract";
import type { Platform } from "./start-platform.ts";
import { fromOwnAddress } from "./visitor.ts";

/** The signed-in publisher of the demo, as a client that calls the API. */
export interface SignedIn {
  cookie: string;
  /** The reply to a GET of an API address; anything but 200 is an error. */
  get<T>(path: string): Promise<T>;
}

/** Signs in as the demo's publisher. */
export async function signIn({ url, password, publisher }: Platform): Promise<SignedIn> {
  const reply = await fetch(`${url}/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...fromOwnAddress() },
    body: JSON.stringify({ email: publisher, password }),
  });
  if (!reply.ok) throw new Error(`Signing in was answered ${reply.status}: ${await reply.text()}`);
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return {
    cookie,
    async get<T>(path: string) {
      const answer = await fetch(url + path, { headers: { cookie, accept: "application/json" } });
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
}

/** Impressions, clicks and revenue of one zone of an app, today. */
export async function zoneNumbers(user: SignedIn, app: string, zone: string) {
  const day = new Date().toISOString().slice(0, 10);
  const query = `func=stats&view=zone&ds=${day}&de=${day}`;
  const { stats } = await user.get<Pick<AppParts, "stats">>(`/apps/${app}/stats.json?${query}`);
  const row = stats.stats.find(({ id }) => id === zone);
  return { impressions: row?.impressions ?? 0, clicks: row?.clicks ?? 0, revenue: row?.revenue ?? 0 };
}
