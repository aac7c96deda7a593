import { type AdminDeduction, type Verdict, answerDeduction } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { DeductionFacts } from "../../../shared/deductions/deduction-facts.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAnswerDeduction } from "../api.ts";
import classes from "./parts.module.css";

/** What an admin can do with a deduction. Those of deleted accounts are history. */
export function actionOn({ state, owner }: Pick<AdminDeduction, "state" | "owner">): "Answer" | "Reverse" | "Read" {
  if (owner === null) return "Read";
  return state === "disputed" ? "Answer" : state === "reversed" ? "Read" : "Reverse";
}

/** A deduction with its dispute, and the form to answer it. */
export function DeductionDesk({ deduction, onDone }: { deduction: AdminDeduction; onDone: () => void }) {
  const { owner } = deduction;
  const action = actionOn(deduction);
  return (
    <>
      {/* An auction opens for its publisher, and for an admin who is switched in. */}
      <DeductionFacts deduction={deduction}>
        <dt>Owner</dt>
        <dd>{owner === null ? "a deleted account" : `${owner.name}, ${owner.email}`}</dd>
      </DeductionFacts>
      {action === "Read" ? null : (
        <AnswerForm deduction={deduction} verdicts={action === "Answer" ? VERDICTS : []} onDone={onDone} />
      )}
    </>
  );
}

const VERDICTS = [
  { value: "upheld", label: "Uphold", hint: "The amount stays with us." },
  { value: "reversed", label: "Reverse", hint: "The amount goes back to the balance." },
] as const satisfies readonly { value: Verdict; label: string; hint: string }[];

interface AnswerFormProps {
  deduction: AdminDeduction;
  /** The verdicts to choose from; without a choice it is reversed. */
  verdicts: readonly (typeof VERDICTS)[number][];
  onDone: () => void;
}

function AnswerForm({ deduction, verdicts, onDone }: AnswerFormProps) {
  const { tell } = useNotify();
  const answer = useAnswerDeduction();
  const { uuid, owner, amount } = deduction;
  const isChosen = verdicts.length > 0;
  const form = useContractForm({
    schema: answerDeduction.body,
    initial: { answer: "", ...(!isChosen && { verdict: "reversed" }) },
    send: (body) => answer.mutateAsync({ id: uuid, ...body }),
    onDone: (_, { verdict }) => {
      tell(
        verdict === "upheld"
          ? `The deduction is upheld, and ${owner?.email} gets your answer`
          : `${formatMoneyExact(amount)} went back to the balance of ${owner?.email}`,
      );
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      {isChosen ? (
        <ChoiceField {...form.field("verdict")} label="Verdict" options={verdicts} inLines />
      ) : (
        <p className={classes.about}>Nobody disputes it. You can give {formatMoneyExact(amount)} back all the same.</p>
      )}
      <TextAreaField
        {...form.field("answer")}
        label="Answer"
        description="Sent to the owner by mail, and shown on their page."
        rows={5}
        maxLength={2000}
        data-autofocus
      />
      <Submit {...form.submit}>{form.values.verdict === "reversed" ? "Reverse deduction" : "Send answer"}</Submit>
    </Form>
  );
}
