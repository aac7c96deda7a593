export { sessionQuery, useAcceptAgreement, usePostponeAgreement, useReturnToAdmin, useSession } from "./api.ts";
export { currentRoleOf, rememberRole } from "./current-role.ts";
export { LogoutPage } from "./pages/logout-page.tsx";
export { forgetLogin, forgetSession, mayBeLoggedIn, rememberLogin } from "./remembered-login.ts";

// Separate chunks: signed-in users never load the auth forms, and visitors never load the profile.
export const loadAuthDialogs = () => import("./auth/auth-dialogs.tsx");
export const loadAuthPages = () => import("./pages/auth-pages.tsx");
export const loadTicketPages = () => import("./pages/ticket-pages.tsx");
export const loadUnsubscribePage = () => import("./pages/unsubscribe-page.tsx");
export const loadCodeGate = () => import("./gate/code-gate.tsx");
export const loadProfilePage = () => import("./profile/pages/profile-page.tsx");
export const loadTeamPage = () => import("./team/pages/team-page.tsx");
