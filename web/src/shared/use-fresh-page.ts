import { useNotify } from "../ui/notify/notify.tsx";
import { messageOf } from "./call-api.ts";
import { ownPath } from "./own-path.ts";
import { PATHS } from "./paths.ts";

/** Goes where a reply leads, as another person: by a fresh page instead of a step within this one, in which nothing may stay. */
export function useFreshPage() {
  const { tell } = useNotify();
  return async (ask: () => Promise<{ redirect_to: string }>) => {
    try {
      const { redirect_to } = await ask();
      window.location.assign(ownPath(redirect_to, PATHS.landing));
    } catch (failure) {
      tell(messageOf(failure), "failed");
    }
  };
}
