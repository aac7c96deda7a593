import type { FastifyInstance } from "fastify";
import type { KeptMail } from "../../../platform/mail/index.ts";
import { mailsTo } from "./mails-to.ts";

/** The ticket, `{uuid}-{salt}`, in a mail's link; undefined if there is none. */
export const ticketIn = (mail: { text: string }): string | undefined => /\/ticket\/([0-9a-f-]+)$/m.exec(mail.text)?.[1];

/** The ticket in the newest mail to an address, of at least `count`. */
export async function ticketTo(mails: () => Promise<KeptMail[]>, address: string, count = 1): Promise<string> {
  const [newest] = await mailsTo(mails, address, count);
  const ticket = newest && ticketIn(newest);
  if (ticket === undefined) throw new Error(`The newest mail to ${address} has no link`);
  return ticket;
}

/** The addresses that check and use a ticket. */
export const urlOf = (ticket: string): string => `/ticket/${ticket}.json`;

/** The body that a link's page sends for a chosen password. */
export const passes = (pass: string) => ({ pass, pass_confirm: pass });

/** Sends a request from an address without cookies. */
export const from =
  (app: FastifyInstance, address: string, headers: Record<string, string> = {}) =>
  async (method: "GET" | "POST", url: string, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { "x-forwarded-for": address, ...headers },
      ...(payload !== undefined && { payload }),
    });

/** Sends requests like a browser at an address: it keeps the cookies that it receives. */
export function browserAt(app: FastifyInstance, address: string, cookies = new Map<string, string>()) {
  return async (method: "GET" | "POST", url: string, payload?: object) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await from(app, address, { cookie })(method, url, payload);
    for (const { name, value } of reply.cookies) {
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  };
}
