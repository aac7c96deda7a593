import { messageOf } from "../../../../shared/call-api.ts";
import { renderPage } from "../../../../testing/render-page.tsx";
import { ErrorWordsProvider } from "../../../../ui/states/error-words.tsx";
import { TeamPage } from "../../team/pages/team-page.tsx";
import { ProfilePage } from "../pages/profile-page.tsx";

const WORDS = { sentence: messageOf, plain: messageOf, retry: "Try again" };

/** Renders the profile page within its providers. */
export const openProfile = (address = "/profile") =>
  renderPage(
    () => (
      <ErrorWordsProvider value={WORDS}>
        <ProfilePage />
      </ErrorWordsProvider>
    ),
    "/profile",
    address,
  );

/** Renders the team page within its providers. */
export const openTeam = () =>
  renderPage(
    () => (
      <ErrorWordsProvider value={WORDS}>
        <TeamPage />
      </ErrorWordsProvider>
    ),
    "/team",
    "/team",
  );
