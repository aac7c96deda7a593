// Gives requests and replies their cookies, also for a program that does not build the server.
/// <reference types="@fastify/cookie" />
import { LOGIN_DAYS } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** `__Host-` binds the cookie to this origin; browsers take that prefix over HTTPS only, localhost included. */
const cookieName = (request: FastifyRequest) => (request.protocol === "https" ? "__Host-millrace" : "millrace");

const options = (request: FastifyRequest) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: request.protocol === "https" }) as const;

export const readSessionCookie = (request: FastifyRequest): string | undefined => request.cookies[cookieName(request)];

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.setCookie(cookieName(request), token, { ...options(request), maxAge: LOGIN_DAYS * 86_400 });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(request), options(request));
}
