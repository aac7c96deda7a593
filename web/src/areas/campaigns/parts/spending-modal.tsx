import type { CampaignRow } from "@millrace/contract";
import { Modal } from "../../../ui/modal/modal.tsx";
import { Spending } from "./spending.tsx";

interface SpendingModalProps {
  campaign: CampaignRow;
  days: { ds: string; de: string };
  onClose: () => void;
}

/** Where a campaign's opportunities went, on the days of the list. */
export function SpendingModal({ campaign, days, onClose }: SpendingModalProps) {
  return (
    <Modal opened onClose={onClose} title={`Why is ${campaign.name} not spending more?`} width={560} overlayCloses>
      <Spending uuid={campaign.uuid} days={days} />
    </Modal>
  );
}
