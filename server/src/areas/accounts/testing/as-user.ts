import type { FastifyInstance } from "fastify";
import { cookieOf } from "./accounts-server.ts";

type Method = "GET" | "POST" | "DELETE";

/** Sends requests as our own page does, with a session's cookie. */
export const withCookie =
  (app: FastifyInstance, cookie: string) => async (method: Method, url: string, body?: object) =>
    app.inject({
      method,
      url,
      headers: { cookie, accept: "application/json", "sec-fetch-site": "same-origin" },
      ...(body !== undefined && { payload: body }),
    });

/** Signs in, and sends requests with the session. */
export const asUser = async (app: FastifyInstance, email: string, more: object = {}) =>
  withCookie(app, await cookieOf(app, email, more));

export type Ask = ReturnType<typeof withCookie>;
