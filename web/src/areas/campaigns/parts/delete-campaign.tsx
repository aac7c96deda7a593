import type { CampaignRow } from "@millrace/contract";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { useSetStatus } from "../api.ts";

/** Confirms the deletion of a campaign. */
export function DeleteCampaign({ campaign, onClose }: { campaign: CampaignRow; onClose: () => void }) {
  const change = useSetStatus();
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Delete ${campaign.name}?`}
      confirm="Delete campaign"
      onConfirm={() => change.mutateAsync({ id: campaign.uuid, status: "delete" })}
    >
      The campaign stops and is removed from this list, with its creatives. This cannot be undone.
    </ConfirmModal>
  );
}
