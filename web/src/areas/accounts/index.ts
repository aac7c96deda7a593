export { sessionQuery, useAcceptAgreement, usePutOffAgreement, useReturnToAdmin, useSession } from "./api.ts";
export { currentRoleOf, rememberRole } from "./current-role.ts";
export { DoorsOverPage } from "./doors/doors-over-page.tsx";
export { LogoutPage } from "./pages/logout-page.tsx";
export { forgetLogin, mayBeLoggedIn } from "./remembered-login.ts";

// The doors with their forms come when one is shown: who is signed in never needs them.
export const loadDoorPages = () => import("./pages/door-pages.tsx");
export const loadTicketPages = () => import("./pages/ticket-pages.tsx");
export const loadCodeGate = () => import("./gate/code-gate.tsx");
