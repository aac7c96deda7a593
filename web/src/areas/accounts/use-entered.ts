import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ownPath } from "../../shared/own-path.ts";
import { PATHS } from "../../shared/paths.ts";
import { rememberRoleOf } from "./current-role.ts";
import { rememberLogin } from "./remembered-login.ts";
import { forgetSignUp } from "./waiting-sign-up.ts";

/** How every way in ends: the browser remembers that somebody is signed in, and in which role. */
export function useEntered() {
  const client = useQueryClient();
  const router = useRouter();
  /** Nothing that somebody else was shown may be seen by who signs in now. */
  const enter = (redirectTo: string) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "site" && queryKey[0] !== "ticket" });
    forgetSignUp();
    rememberLogin(Date.now());
    rememberRoleOf(redirectTo);
  };
  return {
    enter,
    /** Enters and goes to where the reply leads, which is a path of ours or home. */
    enterAndGo: (redirectTo: string | undefined) => {
      const path = ownPath(redirectTo, PATHS.apps);
      enter(path);
      router.history.push(path);
    },
  };
}
