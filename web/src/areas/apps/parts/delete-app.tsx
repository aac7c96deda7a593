import { type AppRow, PLATFORM_LABELS } from "@millrace/contract";
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
      The app ({[PLATFORM_LABELS[app.platform], app.bundle_id].filter((part) => part !== "").join(" · ")}) stops showing
      ads and is removed from this list. Its earnings are kept. This cannot be undone.
    </ConfirmModal>
  );
}
