import type { FastifyInstance, InjectOptions } from "fastify";
import type { AccountsDeps } from "../deps.ts";
import { PUBLIC_URL } from "./accounts-server.ts";

type Reply = Awaited<ReturnType<FastifyInstance["inject"]>>;

/** The claims that a person has at the identity provider; missing ones are not sent. */
export interface AtProvider {
  sub: string;
  email?: string;
  email_verified?: "true" | "false" | undefined;
  name?: string;
  given_name?: string;
  family_name?: string;
}

/** A browser that keeps the cookies of the platform and the identity provider between them. */
export interface SocialBrowser {
  cookies: Map<string, string>;
  /** Sends a request to the platform as one of its own pages does. */
  ask(options: InjectOptions & { url: string }): Promise<Reply>;
  /** Posts to `/login/{service}` and returns the address at the provider. */
  begin(service: string, query?: Record<string, string>): Promise<URL>;
  /** Signs in at the provider, or cancels, and returns the path it redirects to. */
  atProvider(address: URL, who: AtProvider | "cancel"): Promise<string>;
  /** Follows that path. */
  oauthCallback(path: string): Promise<Reply>;
  /** Completes a sign-in and returns the final address on the platform. */
  signIn(service: string, who: AtProvider | "cancel", query?: Record<string, string>): Promise<URL>;
}

/** The settings of a platform that offers these identity providers. */
export const socialSettings = (social: AccountsDeps["settings"]["social"]): AccountsDeps["settings"] => ({
  operator: { name: "The operator", email: "support@millrace.example", address: undefined },
  social,
  intercom: undefined,
  smtpUrl: undefined,
});

/** A person whose e-mail the identity provider has verified. */
export const verified = (sub: string, more: Partial<AtProvider> = {}): AtProvider => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: "true",
  ...more,
});

export const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** 200 if a user is signed in to the browser, otherwise 401. */
export const statusOf = async (browser: SocialBrowser): Promise<number> =>
  (await browser.ask({ url: "/session.json" })).statusCode;

/** The return addresses registered at the identity provider. */
export const REDIRECT_URIS = [`${PUBLIC_URL}/login/google/return`, `${PUBLIC_URL}/login/facebook/return`];

let browsers = 0;

/** Creates a browser with its own address, which sends the headers our pages send. */
export function socialBrowser(app: FastifyInstance): SocialBrowser {
  const cookies = new Map<string, string>();
  const address = `2001:db8:0:${(++browsers).toString(16)}::1`;

  async function ask(options: InjectOptions & { url: string }): Promise<Reply> {
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-for": address,
      host: new URL(PUBLIC_URL).host,
      accept: "application/json",
      "sec-fetch-site": "same-origin",
      ...options.headers,
    };
    const reply = await app.inject({ ...options, headers, cookies: Object.fromEntries(cookies) });
    for (const { name, value, maxAge, expires } of reply.cookies) {
      if (maxAge === 0 || (expires && expires.getTime() <= Date.now())) cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  }

  async function begin(service: string, query: Record<string, string> = {}): Promise<URL> {
    const reply = await ask({ method: "POST", url: `/login/${service}`, query });
    if (reply.statusCode !== 200) throw new Error(`Beginning was answered ${reply.statusCode}: ${reply.body}`);
    return new URL(reply.json<{ redirect_to: string }>().redirect_to);
  }

  /** The identity provider redirects here: a navigation from another site. */
  const oauthCallback = (path: string) =>
    ask({ url: path, headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", accept: "text/html" } });

  return {
    cookies,
    ask,
    begin,
    oauthCallback,
    atProvider,
    async signIn(service, who, query) {
      const back = await atProvider(await begin(service, query), who);
      return redirectOf(await oauthCallback(back));
    },
  };
}

/** The provider's own cookies last for one visit. */
async function atProvider(address: URL, who: AtProvider | "cancel"): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (url: URL, form?: Record<string, string>) => {
    const reply = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      jar.set(name, value);
    }
    const location = reply.headers.get("location");
    if (location === null) throw new Error(`The provider answered ${reply.status}: ${await reply.text()}`);
    return new URL(location, url);
  };
  const form = await visit(address);
  if (form.origin === PUBLIC_URL) return form.pathname + form.search;
  const resume = await visit(form, who === "cancel" ? { cancel: "1" } : { ...who });
  const back = await visit(resume);
  if (back.origin !== PUBLIC_URL) throw new Error(`The provider led to ${back.origin}${back.pathname}`);
  return back.pathname + back.search;
}

/** The redirect of a reply, as an address of the platform. */
export function redirectOf(reply: Reply): URL {
  const { location } = reply.headers;
  if (reply.statusCode !== 302 || location === undefined) {
    throw new Error(`The platform answered ${reply.statusCode}: ${reply.body}`);
  }
  return new URL(location, PUBLIC_URL);
}
