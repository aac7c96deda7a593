import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { forgetSession } from "../remembered-login.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";

/** Goes to a public page after the server ended the session; a dialog there says why. */
export function useLeave() {
  const client = useQueryClient();
  const router = useRouter();
  const { announce } = useNotify();
  return (path: string, title: string, why: string) => {
    // Before anything else: a refused call must not ask to return to this page.
    forgetSession(client);
    announce({ title, body: why });
    router.history.replace(path, { isAnnounced: true });
  };
}
