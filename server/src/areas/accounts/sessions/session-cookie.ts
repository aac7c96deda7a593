import { LOGIN_DAYS } from "@millrace/contract";
import { hostCookie } from "../../../platform/http/host-cookie.ts";

/** Holds a session's token: it lives in the browser alone. */
export const sessionCookie = hostCookie("millrace", LOGIN_DAYS * 86_400);
