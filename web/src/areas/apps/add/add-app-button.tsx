import { Button } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { useKnownSession, useMayUse } from "../../../shared/session.ts";

const loadModal = () => import("./add-app-modal.tsx");
const AddAppModal = lazy(async () => ({ default: (await loadModal()).AddAppModal }));

interface AddAppButtonProps {
  label?: string;
  /** A page has one button whose dialog opens by itself for a user without apps, once the terms are accepted. */
  opensByItself?: boolean;
}

/** Opens the dialog to add an app. */
export function AddAppButton({ label = "Add New App", opensByItself = true }: AddAppButtonProps) {
  const may = useMayUse();
  const { is_new: isNew = false, show_agreement: asksTerms } = useKnownSession()?.globalConfig ?? {};
  const [isChosen, setIsChosen] = useState(false);
  const [dismissed, setDismissed] = useState(false);
  if (!may("apps.add")) return null;
  const opened = isChosen || (opensByItself && isNew && asksTerms === 0 && !dismissed);
  return (
    <>
      <Button
        variant={opensByItself ? "filled" : "default"}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadModal()}
        onFocus={() => void loadModal()}
        onClick={() => setIsChosen(true)}
      >
        {label}
      </Button>
      {opened ? (
        <Suspense>
          <AddAppModal
            opened
            isNew={isNew}
            onClose={() => {
              setIsChosen(false);
              setDismissed(true);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
