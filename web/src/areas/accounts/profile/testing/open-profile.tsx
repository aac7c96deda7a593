import { renderPage } from "../../../../testing/render-page.tsx";
import { TeamPage } from "../../team/pages/team-page.tsx";
import { ProfilePage } from "../pages/profile-page.tsx";

/** Renders the profile page within its providers. */
export const openProfile = (address = "/profile") => renderPage(() => <ProfilePage />, "/profile", address);

/** Renders the team page within its providers. */
export const openTeam = () => renderPage(() => <TeamPage />, "/team");
