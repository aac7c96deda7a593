import type { AppParts } from "@millrace/contract";
import type { DemoConfig } from "../../demo/page/demo-config.ts";
import type { Platform } from "./start-platform.ts";
import { fromOwnAddress } from "./visitor.ts";

/** An API client with the session of the demo's publisher. */
export interface SignedIn {
  cookie: string;
  /** GETs an API address. Throws unless the status is 200. */
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

/** The id of the app that the demo's page shows ads for. */
export async function demoApp({ url }: Pick<Platform, "url">): Promise<string> {
  return ((await (await fetch(`${url}/demo/config.json`)).json()) as DemoConfig).app;
}

/** Today's impressions, clicks and revenue of one zone. */
export async function zoneNumbers(user: SignedIn, app: string, zone: string) {
  const day = new Date().toISOString().slice(0, 10);
  const query = `func=stats&view=zone&ds=${day}&de=${day}`;
  const { stats } = await user.get<Pick<AppParts, "stats">>(`/apps/${app}/stats.json?${query}`);
  const row = stats.stats.find(({ id }) => id === zone);
  return { impressions: row?.impressions ?? 0, clicks: row?.clicks ?? 0, revenue: row?.revenue ?? 0 };
}
