import type { Deduction } from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { Suspense, lazy, useState } from "react";
import type { DrawerSubject } from "../../shared/auctions/auction-drawer.tsx";
import { DeductionFacts } from "../../shared/deductions/deduction-facts.tsx";
import { Modal } from "../../ui/modal/modal.tsx";
import { DisputeForm } from "./dispute-form.tsx";

const AuctionDrawer = lazy(async () => ({
  default: (await import("../../shared/auctions/auction-drawer.tsx")).AuctionDrawer,
}));

const WIDTH = 520;

interface DeductionDialogProps {
  subject: { deduction: Deduction; disputes: boolean };
  opened: boolean;
  onClose: () => void;
}

/** A deduction in full, with the form that disputes it. Its sample auctions are explained in a drawer over it. */
export function DeductionDialog({ subject: { deduction, disputes }, opened, onClose }: DeductionDialogProps) {
  const [sample, setSample] = useState<DrawerSubject | null>(null);
  // Once opened, the drawer stays mounted, so that it can animate its closing.
  const [wasOpened, setWasOpened] = useState(false);
  const explain = (id: string) => {
    const title = `A sample of ${deduction.app.name} on ${formatDay(deduction.day)}`;
    setSample({ id, title, provider: deduction.provider });
    setWasOpened(true);
  };
  return (
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        title={disputes ? "Dispute deduction" : "Deduction"}
        width={WIDTH}
        overlayCloses={!disputes}
      >
        <DeductionFacts deduction={deduction} onAuction={explain} />
        {disputes ? <DisputeForm deduction={deduction} onDone={onClose} /> : null}
      </Modal>
      {wasOpened ? (
        <Suspense>
          <AuctionDrawer subject={sample} onClose={() => setSample(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
