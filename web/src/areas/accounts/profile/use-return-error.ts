import { PROFILE_SOCIAL_ERRORS } from "@millrace/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** The sentence of an error that linking an account came back with; an unknown code has the general one. */
export function returnErrorText(code: string): string {
  return Object.entries(PROFILE_SOCIAL_ERRORS).find(([known]) => known === code)?.[1] ?? PROFILE_SOCIAL_ERRORS.other;
}

/** What a network sent the browser back with, out of the address, which is cleared: reloaded, the page says it no more. */
export function useReturnError(): string | null {
  const { error }: { error?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  // Read once: the address does not say it any more after this.
  const [message] = useState(() => (typeof error === "string" ? returnErrorText(error) : null));
  useEffect(() => {
    if (error !== undefined) void navigate({ to: ".", search: {}, replace: true, resetScroll: false });
  }, [error, navigate]);
  return message;
}
