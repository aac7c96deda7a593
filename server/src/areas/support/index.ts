import type { Area } from "../../platform/area.ts";
import { throttle } from "../../platform/http/throttle.ts";
import type { SupportDeps } from "./deps.ts";
import { supportRoutes } from "./routes.ts";
import { supportMails } from "./support-mails.ts";

export { CHAT_SOURCES } from "./chat-sources.ts";

/** A user's messages to support. */
const messagesThrottle = () =>
  throttle({ tries: 5, windowSeconds: 600 }, "Too many messages. Please wait a while before sending another");

/** Users' messages to support, and the admins' answers. */
export function supportArea(deps: SupportDeps): Area {
  const desk = { ...deps, mailSupport: supportMails(deps), throttle: messagesThrottle() };
  return { name: "support", routes: (app) => supportRoutes(app, desk) };
}
