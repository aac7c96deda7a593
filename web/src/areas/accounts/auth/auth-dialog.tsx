import { useEffect, useRef, useState } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { type AuthForm, AUTH_TITLES } from "./auth-form.ts";
import { AUTH_CONTENT } from "./auth-content.tsx";
import { AuthPlace } from "./auth-link.tsx";

/** An auth form as a dialog. Switching forms keeps the dialog and focuses the new form's first field. */
export function AuthDialog({ authForm, onClose }: { authForm: AuthForm | null; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<AuthForm | null>(null);
  useEffect(() => {
    // The dialog sets the focus when it opens.
    if (authForm !== null && before.current !== null && before.current !== authForm) {
      content.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    before.current = authForm;
  }, [authForm]);
  // A closing dialog keeps its form while it fades out.
  const [shown, setShown] = useState(authForm);
  if (authForm !== null && authForm !== shown) setShown(authForm);
  const Content = shown && AUTH_CONTENT[shown];
  return (
    <Modal opened={authForm !== null} onClose={onClose} title={shown ? AUTH_TITLES[shown] : ""} overlayCloses>
      <AuthPlace value="dialog">
        <div ref={content} key={shown}>
          {Content ? <Content /> : null}
        </div>
      </AuthPlace>
    </Modal>
  );
}
