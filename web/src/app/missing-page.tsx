import { useQuery } from "@tanstack/react-query";
import { mayBeLoggedIn, sessionQuery } from "../areas/accounts/index.ts";
import { NotFoundNote, NotFoundPage } from "../areas/site/index.ts";
import { ShellPending } from "./shell/shell-pending.tsx";
import { ShellFrame } from "./shell/shell.tsx";

/** The 404 page. A signed-in user keeps the shell with its links, "Return to admin" and Logout. */
export function MissingPage() {
  const session = useQuery({ ...sessionQuery, enabled: mayBeLoggedIn(Date.now()) });
  if (session.data) {
    return (
      <ShellFrame>
        <NotFoundNote />
      </ShellFrame>
    );
  }
  return session.isLoading ? <ShellPending /> : <NotFoundPage />;
}
