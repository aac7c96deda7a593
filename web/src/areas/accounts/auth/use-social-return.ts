import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { RETURN_KEYS, type SocialReturn, readSocialReturn } from "./read-social-return.ts";

/** The result of a social sign-in, read from the address once and then removed from it. */
export function useSocialReturn(): SocialReturn | null {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [returned] = useState(() => readSocialReturn(search));
  useEffect(() => {
    if (returned === null) return;
    const cleared = Object.fromEntries(RETURN_KEYS.map((key) => [key, undefined]));
    const without = (before: object) => ({ ...before, ...cleared });
    void navigate({ to: ".", search: without as never, replace: true, resetScroll: false });
  }, [returned, navigate]);
  return returned;
}
