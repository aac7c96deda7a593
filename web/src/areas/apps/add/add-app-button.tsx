import { Button } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { useKnownSession, useMayUse } from "../../../shared/session.ts";

const loadModal = () => import("./add-app-modal.tsx");
const AddAppModal = lazy(async () => ({ default: (await loadModal()).AddAppModal }));

/** Opens the dialog to add an app. It opens by itself for a user without apps, once the terms are accepted. */
export function AddAppButton() {
  const may = useMayUse();
  const { is_new: isNew = false, show_agreement: asksTerms } = useKnownSession()?.globalConfig ?? {};
  const [asked, setAsked] = useState(false);
  const [dismissed, setDismissed] = useState(false);
  if (!may("apps.add")) return null;
  const opened = asked || (isNew && asksTerms === 0 && !dismissed);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        onPointerEnter={() => void loadModal()}
        onFocus={() => void loadModal()}
        onClick={() => setAsked(true)}
      >
        Add New App
      </Button>
      {opened ? (
        <Suspense>
          <AddAppModal
            opened
            isNew={isNew}
            onClose={() => {
              setAsked(false);
              setDismissed(true);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
