import type { FastifyInstance, InjectOptions } from "fastify";
import type { AccountsDeps } from "../deps.ts";
import { PUBLIC_URL } from "./accounts-server.ts";

type Reply = Awaited<ReturnType<FastifyInstance["inject"]>>;

/** Who somebody says they are at the provider; what is left out is a claim that it does not make. */
export interface AtProvider {
  sub: string;
  email?: string;
  email_verified?: "true" | "false" | undefined;
  name?: string;
  given_name?: string;
  family_name?: string;
}

/** A browser that goes back and forth between the platform and a provider, and keeps what either lets it hold. */
export interface SocialBrowser {
  cookies: Map<string, string>;
  /** Asks the platform, as a page of its own does. */
  ask(options: InjectOptions & { url: string }): Promise<Reply>;
  /** Posts to `/login/{service}` and returns the address at the provider. */
  begin(service: string, query?: Record<string, string>): Promise<URL>;
  /** Signs in there, or cancels; returns the path that it sends the browser back to. */
  atProvider(address: URL, who: AtProvider | "cancel"): Promise<string>;
  /** Follows that path. */
  oauthCallback(path: string): Promise<Reply>;
  /** A whole sign-in: where the platform sends the browser in the end. */
  signIn(service: string, who: AtProvider | "cancel", query?: Record<string, string>): Promise<URL>;
}

/** The settings of a platform that offers these networks. */
export const socialSettings = (social: AccountsDeps["settings"]["social"]): AccountsDeps["settings"] => ({
  operator: { name: "The operator", email: "support@millrace.example", address: undefined },
  social,
  intercom: undefined,
  smtpUrl: undefined,
});

/** Somebody of whose e-mail the provider says that it is verified. */
export const verified = (sub: string, more: Partial<AtProvider> = {}): AtProvider => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: "true",
  ...more,
});

export const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** 200 for a browser that somebody is signed in in, 401 for any other. */
export const statusOf = async (browser: SocialBrowser): Promise<number> =>
  (await browser.ask({ url: "/session.json" })).statusCode;

/** What the provider is told of where browsers come back to. */
export const REDIRECT_URIS = [`${PUBLIC_URL}/login/google/return`, `${PUBLIC_URL}/login/facebook/return`];

let browsers = 0;

/** Each from an address of its own, and with headers as a page of ours sends them. */
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

  /** The network has sent the browser: a navigation from another site. */
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

/** Where a reply leads to, as an address of the platform. */
export function redirectOf(reply: Reply): URL {
  const { location } = reply.headers;
  if (reply.statusCode !== 302 || location === undefined) {
    throw new Error(`The platform answered ${reply.statusCode}: ${reply.body}`);
  }
  return new URL(location, PUBLIC_URL);
}
