import { useNotify } from "../ui/notify/notify.tsx";
import { messageOf } from "./call-api.ts";
import { ownPath } from "./own-path.ts";
import { PATHS } from "./paths.ts";
import { leavePage } from "./signed-in-as.ts";

/** Navigates as another user by a full page load, so that no state of the previous user remains. */
export function useFreshPage() {
  const { tell } = useNotify();
  return async (ask: () => Promise<{ redirect_to: string }>) => {
    try {
      const { redirect_to } = await ask();
      leavePage();
      window.location.assign(ownPath(redirect_to, PATHS.landing));
    } catch (failure) {
      tell(messageOf(failure), "failed");
    }
  };
}
