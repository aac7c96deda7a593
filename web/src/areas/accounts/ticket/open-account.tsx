import { redeemTicket } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { Refusal } from "../auth/refusal.tsx";
import { sendTicket } from "../api.ts";
import { useEntered } from "../use-entered.ts";
import { NewPasswordFields, passwordsMatch } from "./new-password-fields.tsx";
import classes from "./ticket.module.css";

const WORDS = {
  sign_up: {
    confirmed: "Your e-mail is confirmed.",
    click: "The account is opened with your click, and you are signed in.",
    choose:
      "The sign-up was made in another browser, maybe by somebody else: a password, or an account of Google or Facebook, that was chosen there is not used. Choose the password of your account, and it is opened.",
    button: "Open my account",
    done: "Your account is open",
  },
  manager: {
    confirmed: "You were invited to manage an account.",
    click: "With your click you accept, and you are signed in.",
    choose: "Choose a password of your own, which nobody else knows, and you are signed in.",
    button: "Accept the invitation",
    done: "You manage this account now",
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
  const { enterAndGo } = useEntered();
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
