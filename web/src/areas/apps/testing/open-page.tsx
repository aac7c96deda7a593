import { type AppIdentity, type AppSettings, SETTING_PARTS, type Session } from "@millrace/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { SESSION_KEY } from "../../../shared/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someSession } from "../../../testing/some-session.ts";
import { TitleSlotProvider } from "../../../ui/page-title.tsx";

interface Opening {
  path: string;
  at?: string;
  session?: Session;
}

/** Renders a page within its providers, with a signed-in user. */
export async function openPage(page: () => ReactNode, { path, at = path, session = someSession() }: Opening) {
  return renderPage(() => <SignedIn session={session}>{page()}</SignedIn>, path, at);
}

/** In the application the session is loaded before a page renders. */
function SignedIn({ session, children }: { session: Session; children: ReactNode }) {
  const client = useQueryClient();
  useState(() => client.setQueryData(SESSION_KEY, session));
  return children;
}

/** The page with the slot that the shell gives its title. */
export function withTitle(Page: () => ReactNode) {
  return function WithTitle() {
    const [slot] = useState(() => document.body.appendChild(document.createElement("header")));
    return (
      <TitleSlotProvider value={slot}>
        <Page />
      </TitleSlotProvider>
    );
  };
}

export const UUID = "00000000-0000-4000-8000-000000000001";

export const someApp = (change: Partial<AppIdentity> = {}): AppIdentity => ({
  app_id: 1,
  uuid: UUID,
  name: "Tide Puzzle",
  logo_url: null,
  url: null,
  bundle_id: "com.example.tide",
  platform: "android",
  in_dev: 1,
  sdk_status: "off",
  sdk_status_class: "danger",
  sdk_info: { version: null, changelog_url: null, update_url: null },
  ...change,
});

export const someSettings = (change: Partial<AppSettings> = {}): AppSettings => ({
  app: someApp(),
  flags: { kids: false, adult: false, is_gaming: false, only_image: false, muted: false },
  learning: { skip_partners: false, exploration: 5 },
  rewards: { callback_url: null, name: "reward", amount: 1 },
  zones: [
    {
      zone: "main_banner",
      name: "Main banner",
      format: "banner",
      refresh_seconds: 30,
      reward: null,
      first_seen_at: "2026-11-01T10:00:00.000Z",
      revision: "of-main",
    },
  ],
  partners: [
    {
      id: "alpha",
      name: "Alpha",
      formats: ["video", "banner"],
      keyed: ["banner"],
      enabled: true,
      active: true,
      is_test: false,
    },
    { id: "beta", name: "Beta", formats: ["video"], keyed: [], enabled: false, active: true, is_test: false },
    {
      id: "gamma",
      name: "Gamma",
      formats: ["banner"],
      keyed: ["banner"],
      enabled: true,
      active: false,
      is_test: false,
    },
  ],
  floors: [{ country: "US", format: "video", floor: 5_170_000 }],
  blocks: { categories: ["IAB25"], domains: ["shop.example"] },
  test_devices: [],
  revisions: Object.fromEntries(SETTING_PARTS.map((part) => [part, "a-revision"])) as AppSettings["revisions"],
  ...change,
});
