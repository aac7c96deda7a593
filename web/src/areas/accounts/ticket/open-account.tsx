import { redeemTicket } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { Refusal } from "../auth/refusal.tsx";
import { sendTicket } from "./api.ts";
import { useFinishSignIn } from "../use-finish-sign-in.ts";
import { NewPasswordFields, passwordsMatch } from "./new-password-fields.tsx";
import classes from "./ticket.module.css";

const WORDS = {
  sign_up: {
    confirmed: "Your e-mail is confirmed.",
    click: "Click to open your account and sign in.",
    choose:
      "This sign-up was started in another browser, maybe by someone else. A password or a Google or Facebook account chosen there is ignored. Choose a password to open your account.",
    button: "Open my account",
    done: "Your account is open",
  },
  manager: {
    confirmed: "You were invited to an account.",
    click: "Click to accept and sign in.",
    choose: "Choose a password of your own to accept and sign in.",
    button: "Accept the invitation",
    done: "You now have access to this account",
  },
} as const;

interface OpenAccountProps {
  ticket: string;
  type: keyof typeof WORDS;
  /** No field is left to fill in. */
  hasPass: boolean;
}

/**
 * Completes a sign-up or an invitation by a click, because mail scanners open links and some run scripts. If no
 * trusted person has chosen a password yet, the user chooses it here.
 */
export function OpenAccount({ ticket, type, hasPass }: OpenAccountProps) {
  const words = WORDS[type];
  const { enterAndGo } = useFinishSignIn();
  const notify = useNotify();
  const form = useContractForm({
    schema: redeemTicket.body,
    initial: hasPass ? {} : { pass: "", pass_confirm: "" },
    check: passwordsMatch,
    send: (body) => sendTicket(ticket, body),
    onDone: (reply) => {
      notify.tell(words.done);
      enterAndGo(reply.redirect_to);
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.intro}>
        {words.confirmed} {hasPass ? words.click : words.choose}
      </p>
      {hasPass ? null : <NewPasswordFields pass={form.field("pass")} again={form.field("pass_confirm")} />}
      <Submit {...form.submit} message={<Refusal text={form.submit.message} />}>
        {words.button}
      </Submit>
    </Form>
  );
}
