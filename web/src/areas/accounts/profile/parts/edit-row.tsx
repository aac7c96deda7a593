import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { z } from "zod";
import { ApiError } from "../../../../shared/call-api.ts";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import type { FieldProps } from "../../../../ui/form/field-props.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { useReturnedFocus } from "../../../../ui/use-returned-focus.ts";
import { type ProfileEdit, useEditProfile } from "../api.ts";
import { usePassingMessage } from "../use-passing-message.ts";
import classes from "./parts.module.css";
import { Row } from "./row.tsx";

interface EditRowProps {
  label: string;
  /** The value shown while the row is not edited. */
  shown: ReactNode;
  /** The field's initial value. */
  initial: string;
  schema: z.ZodType<unknown, string>;
  toEdit: (typed: string) => ProfileEdit;
  renderField: (props: FieldProps<string>) => ReactNode;
  onSaved?: () => void;
}

/** A setting that turns into a form. Escape cancels; the focus returns to the edit button. */
export function EditRow(props: EditRowProps) {
  const { label, shown, onSaved } = props;
  const [editing, setEditing] = useState(false);
  const [done, sayDone] = usePassingMessage();
  const button = useReturnedFocus(editing);

  if (!editing) {
    return (
      <Row
        label={label}
        done={done}
        action={
          <Button
            ref={button}
            variant="default"
            size="xs"
            aria-label={`Edit ${label.toLowerCase()}`}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
        }
      >
        {shown}
      </Row>
    );
  }
  return (
    <Row label={label}>
      <EditForm
        {...props}
        onClose={() => setEditing(false)}
        onSaved={(message) => {
          setEditing(false);
          sayDone(message);
          onSaved?.();
        }}
      />
    </Row>
  );
}

type EditFormProps = Omit<EditRowProps, "onSaved"> & { onClose: () => void; onSaved: (message: string) => void };

function EditForm({ initial, schema, toEdit, renderField, onClose, onSaved }: EditFormProps) {
  const edit = useEditProfile();
  const form = useContractForm({
    schema: z.object({ value: schema }),
    initial: { value: initial },
    send: ({ value }) => edit.mutateAsync(toEdit(value)).catch(rethrowAtField),
    onDone: ({ message }) => onSaved(message),
  });
  const { ref } = form.props;
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>("input, select")?.focus();
  }, [ref]);
  return (
    <div className={classes.editor} data-named>
      <Form
        {...form.props}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      >
        {renderField(form.field("value"))}
        <Submit {...form.submit} onCancel={onClose}>
          Save
        </Submit>
      </Form>
    </div>
  );
}

/** The form has one field, so every message of the server belongs to it; several are joined in one line. */
function rethrowAtField(failure: unknown): never {
  if (!(failure instanceof ApiError)) throw failure;
  const sentences = Object.values(failure.fields);
  throw sentences.length === 0 ? failure : new ApiError(failure.status, { value: sentences.join("; ") });
}
