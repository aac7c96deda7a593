import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { authFormOf } from "./auth-form.ts";

const Dialog = lazy(async () => ({ default: (await import("./auth-dialog.tsx")).AuthDialog }));

/**
 * The auth forms as dialogs over the page. The address names the open one (`?auth=login`), so that Back closes it and a
 * link can open it. The forms are loaded with the first dialog.
 */
export function AuthDialogs() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const authForm = authFormOf(search["auth"]);
  const [wasOpen, setWasOpen] = useState(false);
  if (authForm !== null && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  const close = () => {
    const without = (before: object) => ({ ...before, auth: undefined });
    void navigate({ to: ".", search: without as never, replace: true, resetScroll: false });
  };
  return (
    <Suspense>
      <Dialog authForm={authForm} onClose={close} />
    </Suspense>
  );
}
