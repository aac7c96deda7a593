import type { Deduction } from "@millrace/contract";
import { DeductionFacts } from "../../shared/deductions/deduction-facts.tsx";
import { Modal } from "../../ui/modal/modal.tsx";
import { DisputeForm } from "./dispute-form.tsx";

const WIDTH = 520;

interface DeductionDialogProps {
  asked: { deduction: Deduction; disputes: boolean };
  opened: boolean;
  onClose: () => void;
}

/** A deduction in full, with its samples, and the form that disputes it. */
export const DeductionDialog = ({ asked: { deduction, disputes }, opened, onClose }: DeductionDialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={disputes ? "Dispute deduction" : "Deduction"}
    width={WIDTH}
    overlayCloses={!disputes}
  >
    <DeductionFacts deduction={deduction} opensAuctions />
    {disputes ? <DisputeForm deduction={deduction} onDone={onClose} /> : null}
  </Modal>
);
