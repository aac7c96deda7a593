import { Button } from "@mantine/core";
import { messageOf } from "../../../shared/call-api.ts";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSwitchToUser } from "../api.ts";

interface SwitchButtonProps {
  user: { uuid: string; email: string };
}

/** Visits the account of a user, as that user sees it. */
export function SwitchButton({ user }: SwitchButtonProps) {
  const { tell } = useNotify();
  const visit = useSwitchToUser();
  const go = async () => {
    try {
      const { redirect_to } = await visit.mutateAsync(user.uuid);
      // A fresh page instead of a step within this one: nothing the admin was shown may be in it.
      window.location.assign(ownPath(redirect_to, PATHS.landing));
    } catch (failure) {
      tell(messageOf(failure), "failed");
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      loading={visit.isPending}
      aria-label={`Switch into ${user.email}`}
      onClick={() => void go()}
    >
      Switch in
    </Button>
  );
}
