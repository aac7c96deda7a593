import type { Session } from "@millrace/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { SESSION_KEY } from "../../../shared/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someSession } from "../../../testing/some-session.ts";
import { TitleSlotProvider } from "../../../ui/page-title.tsx";

export const advertiser = (some: Partial<Session> = {}) =>
  someSession({ roles: { can_apps: false, can_campaign: true }, ...some });

/** Renders a page of the area with a signed-in advertiser. */
export async function openPage(Page: () => ReactNode, path: string, at = path, session = advertiser()) {
  return renderPage(
    () => (
      <Frame session={session}>
        <Page />
      </Frame>
    ),
    path,
    at,
  );
}

/** In the application the session is loaded before a page renders, and the header has a slot for its title. */
function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const client = useQueryClient();
  const [slot] = useState(() => document.body.appendChild(document.createElement("header")));
  useState(() => client.setQueryData(SESSION_KEY, session));
  return <TitleSlotProvider value={slot}>{children}</TitleSlotProvider>;
}
