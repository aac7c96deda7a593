import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, createContext, useContext } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { AUTH_PATHS, type AuthForm } from "./auth-form.ts";
import classes from "./auth.module.css";

/** Whether the doors stand in a page of their own or in a dialog of the landing page. */
export const AuthPlace = createContext<"page" | "dialog">("page");

/** Leads to another auth form: the dialog changes its content, the page is another page. Where the visitor wanted to go is kept. */
export function AuthLink({ authForm, children }: { authForm: AuthForm; children: ReactNode }) {
  const place = useContext(AuthPlace);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const wanted = { redirect_to: search["redirect_to"] };
  return place === "dialog" ? (
    <Link
      to={PATHS.landing}
      search={{ ...wanted, auth: authForm } as never}
      replace
      resetScroll={false}
      preload={false}
      className={classes.link}
    >
      {children}
    </Link>
  ) : (
    <Link to={AUTH_PATHS[authForm]} search={wanted as never} className={classes.link}>
      {children}
    </Link>
  );
}

/** Where the visitor wanted to go before the doors, if anywhere. */
export function useWanted(): { redirect_to?: string } {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const wanted = search["redirect_to"];
  return typeof wanted === "string" ? { redirect_to: wanted } : {};
}
