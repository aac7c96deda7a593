import type { AppRow } from "@millrace/contract";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { useDeleteApp } from "../api.ts";

/** Confirms the deletion of an app. */
export function DeleteApp({ app, onClose }: { app: AppRow; onClose: () => void }) {
  const remove = useDeleteApp();
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Delete ${app.name}?`}
      confirm="Delete app"
      onConfirm={() => remove.mutateAsync(app.uuid)}
    >
      The app shows no more ads from now on and leaves this list. What it has earned stays earned. This cannot be
      undone.
    </ConfirmModal>
  );
}
