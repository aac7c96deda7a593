import { z } from "zod";
import { Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Done, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** Maximum numbers of characters. */
export const NEWS_LIMITS = { subject: 150, message: 10_000 } as const;

const Count = z.int().min(0);

export const NewsMail = z.object({
  uuid: Uuid,
  subject: z.string(),
  message: z.string(),
  sent_at: z.iso.datetime(),
  /** The admin's e-mail; null if the admin was deleted. */
  sent_by: z.string().nullable(),
  counts: z.object({
    /** All subscribers when it was sent: the sum of the others. */
    people: Count,
    sent: Count,
    waiting: Count,
    /** The mail server did not accept it within half a day; it can be sent again. */
    failed: Count,
    /** Refused by the mail server, without a retry. */
    refused: Count,
    /** Unsubscribed, blocked or deleted before their mail was sent. */
    left_out: Count,
    /** The platform ended while sending it; it is sent again only by an admin. */
    unknown: Count,
  }),
});
export type NewsMail = z.infer<typeof NewsMail>;

export const newsMails = defineCall({
  method: "GET",
  path: "/admin/news.json",
  summary: "List news mails, newest first, with their delivery counts",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ news: z.array(NewsMail), subscribers: Count, pager: Pager }),
});

export const sendNews = defineCall({
  method: "POST",
  path: "/admin/news.json",
  summary: "Send a news mail to all subscribers, once for each `key`",
  access: "admin",
  body: z.strictObject({
    subject: z
      .string()
      .trim()
      .min(1, TEXTS.required)
      .max(NEWS_LIMITS.subject)
      .regex(/^\P{Cc}*$/u, "Use one line"),
    message: z.string().trim().min(1, TEXTS.required).max(NEWS_LIMITS.message),
    key: Uuid,
  }),
  reply: z.object({ people: Count }),
});

export const sendNewsAgain = defineCall({
  method: "POST",
  path: "/admin/news/{id}/send_again",
  summary: "Send news again to recipients whose mail failed, or whose delivery is unknown",
  access: "admin",
  params: ById,
  body: z.strictObject({ state: z.enum(["failed", "unknown"]) }),
  reply: z.object({ people: Count }),
});

export const unsubscribe = defineCall({
  method: "POST",
  path: "/unsubscribe/{link}",
  summary: "Unsubscribe from news mails with a mail's signed link, also by one-click unsubscribe (RFC 8058)",
  access: "public",
  limitsItself: true,
  // A mail program posts one short line.
  maxBodyBytes: 4096,
  params: z.strictObject({ link: z.string().max(200) }),
  reply: Done,
});
