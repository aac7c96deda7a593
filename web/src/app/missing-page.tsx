import { useQuery } from "@tanstack/react-query";
import { mayBeLoggedIn, sessionQuery } from "../areas/accounts/index.ts";
import { NotFoundNote, NotFoundPage } from "../areas/site/index.ts";
import { ShellPending } from "./shell/shell-pending.tsx";
import { ShellFrame } from "./shell/shell.tsx";

/** An address without a page. A signed-in user keeps the frame, and with it every way out: links, "Return to admin", Logout. */
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
