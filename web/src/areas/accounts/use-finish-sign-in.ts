import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ownPath } from "../../shared/own-path.ts";
import { PATHS } from "../../shared/paths.ts";
import { rememberRoleOf } from "./current-role.ts";
import { rememberLogin } from "./remembered-login.ts";
import { forgetSignUp } from "./waiting-sign-up.ts";

/** Finishes every kind of sign-in: the browser remembers the login and its role. */
export function useFinishSignIn() {
  const client = useQueryClient();
  const router = useRouter();
  /** Clears the cache, so that the new user sees nothing of the previous one. */
  const enter = (redirectTo: string) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "site" && queryKey[0] !== "ticket" });
    forgetSignUp();
    rememberLogin(Date.now());
    rememberRoleOf(redirectTo);
  };
  return {
    enter,
    /** Signs in and goes where the reply leads: a path of this origin, or home. */
    enterAndGo: (redirectTo: string | undefined) => {
      const path = ownPath(redirectTo, PATHS.apps);
      enter(path);
      router.history.push(path);
    },
  };
}
