import type { SignUpRole } from "@millrace/contract";
import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, createContext, useContext } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { AUTH_PATHS, type AuthForm } from "./auth-form.ts";
import classes from "./auth.module.css";

/** Whether the auth form is a page of its own or a dialog of the landing page. */
export const AuthPlace = createContext<"page" | "dialog">("page");

/** Links to another auth form, in the same dialog or as a page, and keeps the visitor's original destination. */
export function AuthLink({ authForm, children }: { authForm: AuthForm; children: ReactNode }) {
  const place = useContext(AuthPlace);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const redirectTo = { redirect_to: search["redirect_to"] };
  return place === "dialog" ? (
    <Link
      to={PATHS.landing}
      search={{ ...redirectTo, auth: authForm } as never}
      replace
      resetScroll={false}
      preload={false}
      className={classes.link}
    >
      {children}
    </Link>
  ) : (
    <Link to={AUTH_PATHS[authForm]} search={redirectTo as never} className={classes.link}>
      {children}
    </Link>
  );
}

/** What the visitor wants to sign up as, by the link that led here; a publisher unless it says otherwise. */
export function useWantedRole(): SignUpRole {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return search["role"] === "ADV" ? "ADV" : "NEW";
}

/** The page the visitor asked for before the auth form, if any. */
export function useRedirectTo(): { redirect_to?: string } {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const redirectTo = search["redirect_to"];
  return typeof redirectTo === "string" ? { redirect_to: redirectTo } : {};
}
