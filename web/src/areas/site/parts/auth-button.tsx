import type { MouseEvent, ReactNode } from "react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";

interface AuthButtonProps {
  authForm: "login" | "signup";
  className: string | undefined;
  children: ReactNode;
}

/** Opens an auth form over this page; in a new tab or without script it is the form's own page. */
export function AuthButton({ authForm, className, children }: AuthButtonProps) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const wanted = { redirect_to: search["redirect_to"] };
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ to: PATHS.landing, search: { ...wanted, auth: authForm } as never, resetScroll: false });
  };
  return (
    <Link to={PATHS[authForm]} search={wanted as never} className={className} onClick={open}>
      {children}
    </Link>
  );
}
