import { Button } from "@mantine/core";
import { useFreshPage } from "../../../shared/use-fresh-page.ts";
import { useSwitchToUser } from "../api.ts";

interface SwitchButtonProps {
  user: { uuid: string; email: string };
}

/** Opens a user's account as that user sees it. */
export function SwitchButton({ user }: SwitchButtonProps) {
  const visit = useSwitchToUser();
  const go = useFreshPage();
  return (
    <Button
      variant="default"
      size="xs"
      loading={visit.isPending}
      aria-label={`Switch into ${user.email}`}
      onClick={() => void go(() => visit.mutateAsync(user.uuid))}
    >
      Switch in
    </Button>
  );
}
