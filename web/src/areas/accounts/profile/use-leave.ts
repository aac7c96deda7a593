import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useNotify } from "../../../ui/notify/notify.tsx";

/** Leaves for a page at the doors, after the server has ended the session; a dialog there says why. */
export function useLeave() {
  const client = useQueryClient();
  const router = useRouter();
  const { announce } = useNotify();
  return (path: string, title: string, why: string) => {
    // Nothing that was shown may stay for who signs in next.
    client.clear();
    announce({ title, body: why });
    router.history.replace(path);
  };
}
