import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { useLogout } from "../api.ts";

/** Ends the session and redirects to the landing page. */
export function LogoutPage() {
  const { mutateAsync } = useLogout();
  const navigate = useNavigate();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const leave = () => navigate({ to: PATHS.landing, replace: true });
    void mutateAsync().then(leave, leave);
  }, [mutateAsync, navigate]);
  return null;
}
