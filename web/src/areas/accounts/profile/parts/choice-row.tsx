import { messageOf } from "../../../../shared/call-api.ts";
import { Segments } from "../../../../ui/segments.tsx";
import { type ProfileEdit, useEditProfile } from "../api.ts";
import { usePassingMessage } from "../use-passing-message.ts";
import { Row } from "./row.tsx";

interface ChoiceRowProps {
  label: string;
  value: boolean;
  yes: string;
  no: string;
  toEdit: (value: boolean) => ProfileEdit;
}

/** A setting with two visible options; choosing one saves it. */
export function ChoiceRow({ label, value, yes, no, toEdit }: ChoiceRowProps) {
  const edit = useEditProfile();
  const [done, sayDone] = usePassingMessage();
  const selected = edit.isPending && edit.variables ? edit.variables.value : value;
  const choose = (next: boolean) => {
    if (next === selected) return;
    edit.mutate(toEdit(next), { onSuccess: ({ message }) => sayDone(message) });
  };
  return (
    <Row label={label} done={done} failed={edit.error ? messageOf(edit.error) : null}>
      <Segments
        label={label}
        options={[
          { id: "yes", label: yes },
          { id: "no", label: no },
        ]}
        chosen={selected === true ? "yes" : "no"}
        onChoose={(id) => choose(id === "yes")}
      />
    </Row>
  );
}
