import type { Area } from "../../platform/area.ts";
import { throttle } from "../../platform/http/throttle.ts";
import type { SupportDeps } from "./deps.ts";
import { supportRoutes } from "./routes.ts";
import { supportMails } from "./support-mails.ts";

export { CHAT_SOURCES } from "./chat-sources.ts";

/** Messages of a person to support. */
const messagesThrottle = () =>
  throttle({ tries: 5, windowSeconds: 600 }, "That were many messages. Please wait a little before the next one");

/** People's messages to those who run the platform, and the answers. */
export function supportArea(deps: SupportDeps): Area {
  const desk = { ...deps, mailSupport: supportMails(deps), throttle: messagesThrottle() };
  return { name: "support", routes: (app) => supportRoutes(app, desk) };
}
