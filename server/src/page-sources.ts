import { tipaltiHosts } from "./areas/payments/index.ts";
import { CHAT_SOURCES } from "./areas/support/index.ts";
import type { PageSources } from "./platform/http/secure-headers.ts";
import type { Settings } from "./platform/settings.ts";

/** The other origins that our pages load from: those of the support chat and of the payout provider's frame, if they are set up. */
export function pageSources({ intercom, tipalti }: Pick<Settings, "intercom" | "tipalti">): PageSources {
  const chat = intercom === undefined ? {} : CHAT_SOURCES;
  if (tipalti === undefined) return chat;
  return { ...chat, "frame-src": [...(chat["frame-src"] ?? []), tipaltiHosts(tipalti).frame] };
}
