import { type AdminStatement, passOnShortfall } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { usePassOnShortfall } from "../api.ts";
import classes from "./parts.module.css";

export type StatementDay = AdminStatement["days"][number];

const Explained = passOnShortfall.body.pick({ explanation: true });

interface PassOnFormProps {
  /** The statement's id. */
  statement: string;
  day: StatementDay;
  onDone: () => void;
}

/** Deducts what a partner reports less from the app's publisher, with an explanation that the publisher sees. */
export function PassOnForm({ statement, day: { day, app, shortfall, passed_on: passedOn }, onDone }: PassOnFormProps) {
  const { tell } = useNotify();
  const passOn = usePassOnShortfall();
  const form = useContractForm({
    schema: Explained,
    initial: { explanation: "" },
    send: ({ explanation }) => passOn.mutateAsync({ id: statement, day, app: app.uuid, explanation }),
    onDone: ({ amount }) => {
      tell(`${formatMoneyExact(amount)} deducted. The publisher is told by mail, and can dispute it`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {formatMoneyExact(shortfall - passedOn)} of what {app.name} earned on {formatDay(day)} is deducted from its
        publisher, who can dispute it.
      </p>
      <TextAreaField
        {...form.field("explanation")}
        label="Explanation, which the publisher sees"
        rows={3}
        maxLength={500}
        data-autofocus
      />
      <Submit {...form.submit} danger>
        Deduct
      </Submit>
    </Form>
  );
}
