import { lazyRouteComponent } from "@tanstack/react-router";
import { loadAuthDialogs } from "../areas/accounts/index.ts";
import { loadLandingPage } from "../areas/site/index.ts";

const LandingPage = lazyRouteComponent(loadLandingPage, "LandingPage");
const AuthDialogs = lazyRouteComponent(loadAuthDialogs, "AuthDialogs");

/** The landing page with its dialogs; who is signed in needs neither. */
export const Landing = () => (
  <>
    <LandingPage />
    <AuthDialogs />
  </>
);
