import { LOGIN_DAYS } from "@millrace/contract";
import { hostCookie } from "../../../platform/http/host-cookie.ts";

/** Holds the session's token, which is stored nowhere else. */
export const sessionCookie = hostCookie("millrace", LOGIN_DAYS * 86_400);
