import type { InhouseRow } from "@millrace/contract";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { useDeleteInhouse } from "./inhouse-api.ts";

/** Confirms the deletion of an in-house campaign. */
export function DeleteInhouse({ campaign, onClose }: { campaign: InhouseRow; onClose: () => void }) {
  const remove = useDeleteInhouse();
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Delete ${campaign.title}?`}
      confirm="Delete campaign"
      onConfirm={() => remove.mutateAsync(campaign.uuid)}
    >
      The campaign stops and is removed from this list. What it showed stays in the statistics of your apps. This cannot
      be undone.
    </ConfirmModal>
  );
}
