import { useEffect, useRef, useState } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { type AuthForm, AUTH_TITLES } from "./auth-form.ts";
import { AUTH_CONTENT } from "./auth-content.tsx";
import { AuthPlace } from "./auth-link.tsx";

/** A door as a dialog. Another door takes its place in the same dialog, and the focus goes to its first field. */
export function AuthDialog({ authForm, onClose }: { authForm: AuthForm | null; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<AuthForm | null>(null);
  useEffect(() => {
    // The dialog itself places the focus when it opens.
    if (authForm !== null && before.current !== null && before.current !== authForm) {
      content.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    before.current = authForm;
  }, [authForm]);
  // A closing dialog keeps its door while it fades.
  const [shown, setShown] = useState(authForm);
  if (authForm !== null && authForm !== shown) setShown(authForm);
  const Content = shown && AUTH_CONTENT[shown];
  return (
    <Modal opened={authForm !== null} onClose={onClose} title={shown ? AUTH_TITLES[shown] : ""}>
      <AuthPlace value="dialog">
        <div ref={content} key={shown}>
          {Content ? <Content /> : null}
        </div>
      </AuthPlace>
    </Modal>
  );
}
