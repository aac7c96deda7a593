import { redeemTicket } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { sendTicket } from "../api.ts";
import { useEntered } from "../use-entered.ts";
import classes from "./ticket.module.css";

const WORDS = {
  sign_up: {
    intro: "Your e-mail is confirmed. The account is opened with your click, and you are signed in.",
    button: "Open my account",
    done: "Your account is open",
  },
  manager: {
    intro: "You were invited to manage an account. With your click you accept, and you are signed in.",
    button: "Accept the invitation",
    done: "You manage this account now",
  },
} as const;

/** A sign-up or an invitation comes to its end by a click: mail scanners open links, and some of them run scripts. */
export function OpenAccount({ ticket, type }: { ticket: string; type: keyof typeof WORDS }) {
  const words = WORDS[type];
  const { enterAndGo } = useEntered();
  const notify = useNotify();
  const form = useContractForm({
    schema: redeemTicket.body,
    initial: {},
    send: (body) => sendTicket(ticket, body),
    onDone: (reply) => {
      notify.tell(words.done);
      enterAndGo(reply.redirect_to);
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.intro}>{words.intro}</p>
      <Submit {...form.submit}>{words.button}</Submit>
    </Form>
  );
}
