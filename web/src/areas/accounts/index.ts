export { sessionQuery, useAcceptAgreement, usePutOffAgreement, useReturnToAdmin, useSession } from "./api.ts";
export { currentRoleOf, rememberRole } from "./current-role.ts";
export { AuthDialogs } from "./auth/auth-dialogs.tsx";
export { LogoutPage } from "./pages/logout-page.tsx";
export { forgetLogin, mayBeLoggedIn, rememberLogin } from "./remembered-login.ts";

// The doors with their forms come when one is shown: who is signed in never needs them.
export const loadAuthPages = () => import("./pages/auth-pages.tsx");
export const loadTicketPages = () => import("./pages/ticket-pages.tsx");
export const loadCodeGate = () => import("./gate/code-gate.tsx");
