export { sessionQuery, useSession } from "./api.ts";
export { LogoutPage } from "./pages/logout-page.tsx";
export { forgetLogin, mayBeLoggedIn } from "./remembered-login.ts";

/** The sign-in page with its form comes when it is shown: who is signed in never needs it. */
export const loadLoginPage = () => import("./pages/login-page.tsx");
