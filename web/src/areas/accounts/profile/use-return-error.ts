import { PROFILE_SOCIAL_ERRORS } from "@millrace/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** The message for an error code of linking an account; unknown codes get the general one. */
export function returnErrorText(code: string): string {
  return Object.entries(PROFILE_SOCIAL_ERRORS).find(([known]) => known === code)?.[1] ?? PROFILE_SOCIAL_ERRORS.other;
}

/** The error that an identity provider's redirect put into the address. The address is cleared, so a reload drops it. */
export function useReturnError(): string | null {
  const { error }: { error?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  // Read once, before the address is cleared.
  const [message] = useState(() => (typeof error === "string" ? returnErrorText(error) : null));
  useEffect(() => {
    if (error !== undefined) void navigate({ to: ".", search: {}, replace: true, resetScroll: false });
  }, [error, navigate]);
  return message;
}
