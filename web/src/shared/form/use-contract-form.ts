import { TEXTS } from "@millrace/contract";
import { type SubmitEvent, useContext, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { FieldProps } from "../../ui/form/field-props.ts";
import { Unsaved, useUnsaved } from "../../ui/form/unsaved.ts";
import { useNotify } from "../../ui/notify/notify.tsx";
import { ApiError, isLoggedOut, messageOf } from "../call-api.ts";

/** The value of a field while it is being filled in: literals and enumerations widen to any text or boolean. */
type FieldValue<T> = T extends string ? string : T extends boolean ? boolean : T;
type Values<S extends z.ZodType> = { [K in keyof z.input<S>]?: FieldValue<z.input<S>[K]> };
type Errors = Readonly<Record<string, string>>;

interface FormOptions<S extends z.ZodType, Reply> {
  /** The schema of the call's body or query. */
  schema: S;
  /** The initial values, including those sent without a field. */
  initial: Values<S>;
  /** Additional rules beyond the schema; they return errors by field. */
  check?: (values: Values<S>) => Readonly<Record<string, string | undefined>>;
  /** A message shown under the button before the first submission. */
  message?: string | null;
  /** Errors of nested values keep their path, `bid.value`; otherwise they belong to the field that holds the value. */
  nested?: boolean;
  /** Whether it stays mounted on every page, so that only the end of the visit loses its text. */
  lasting?: boolean;
  send: (values: z.input<S>) => Promise<Reply>;
  onDone?: (reply: Reply, values: z.input<S>) => void | Promise<void>;
}

const NONE: Errors = {};
const SAVED_AFTER_LEAVING = "What you left had been sent already, and is saved";

/** The fields' errors after a submission, and who found them. */
interface Refused {
  errors: Errors;
  by: "rules" | "server";
}

/**
 * State of a form that is validated by its call's schema before it is sent. Field errors are shown under their fields,
 * all others under the button, and the first invalid field gets the focus. Input is never lost: whoever leaves
 * the page or closes the dialog with unsaved changes is asked first.
 *
 *     const form = useContractForm({ schema: remind.body, initial: { email: "" }, send: (body) => callApi(remind, { body }) });
 *     <Form {...form.props}>
 *       <TextField {...form.field("email")} label="Email" />
 *       <Submit {...form.submit}>Send</Submit>
 *     </Form>
 */
export function useContractForm<S extends z.ZodType, Reply>(options: FormOptions<S, Reply>) {
  const { schema, initial, check, nested = false, lasting = false, send, onDone } = options;
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values<S>>(initial);
  const [refused, setRefused] = useState<Refused>({ errors: NONE, by: "server" });
  const [message, setMessage] = useState(options.message ?? null);
  const [pending, setPending] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const sending = useRef(false);
  const [saves, setSaves] = useState(0);
  const [kept, setKept] = useState({ values, saves });
  // What is done with a form after it was saved is no change.
  if (kept.saves !== saves) setKept({ values, saves });
  const dirty = JSON.stringify(values) !== JSON.stringify(kept.values);
  const reportUnsaved = useUnsaved(dirty, lasting);
  const { watch } = useContext(Unsaved);
  const { tell } = useNotify();

  useEffect(() => {
    if (refusals === 0) return;
    const first = element.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid]");
    // A group of choices is not focusable itself, but its first choice is.
    (first?.querySelector<HTMLElement>("input, button") ?? first)?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" });
  }, [refusals]);

  const broken = (entered: Values<S>): Errors => ({
    ...present(check?.(entered) ?? NONE),
    ...issuesOf(schema, entered, nested),
  });
  // Another field may cure an error of the rules: of two passwords that differ, either can be corrected.
  const errors = refused.by === "server" ? refused.errors : stillIn(() => broken(values), refused.errors);

  const refuse = (by: Refused["by"], wrong: Errors, otherwise: string | null) => {
    // The error of a field that is not shown goes under the button.
    const [shown, hidden] = splitBy(wrong, (name) => isShown(element.current, name));
    setRefused({ errors: shown, by });
    setMessage(Object.values(hidden)[0] ?? (Object.keys(shown).length > 0 ? null : otherwise));
    setRefusals((count) => count + 1);
  };

  const submit = async (entered: Values<S>) => {
    if (sending.current) return;
    const wrong = broken(entered);
    if (Object.keys(wrong).length > 0) {
      refuse("rules", wrong, null);
      return;
    }
    setRefused({ errors: NONE, by: "server" });
    setMessage(null);
    setPending(true);
    sending.current = true;
    const hasLeft = lasting ? () => false : watch();
    try {
      const input = entered as z.input<S>;
      const reply = await send(input);
      // What follows would lead away from where the user is by now, or close another dialog.
      if (hasLeft()) {
        tell(SAVED_AFTER_LEAVING);
        return;
      }
      // What follows may lead to another page.
      reportUnsaved(false);
      await onDone?.(reply, input);
      setSaves((count) => count + 1);
    } catch (failure) {
      if (hasLeft()) {
        if (!isLoggedOut(failure)) tell(messageOf(failure), "failed");
        return;
      }
      reportUnsaved(dirty);
      refuse("server", failure instanceof ApiError ? failure.fields : NONE, messageOf(failure));
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  const set = (changed: Values<S>) => {
    setValues((before) => ({ ...before, ...changed }));
    // The errors were about the previous values.
    setRefused((before) => ({
      ...before,
      errors: splitBy(before.errors, (name) => Object.hasOwn(changed, fieldOf(name)))[1],
    }));
    setMessage(null);
  };

  const nullable = <K extends keyof Values<S> & string>(name: K): FieldProps<Exclude<Values<S>[K], undefined>> => ({
    name,
    value: values[name] as Exclude<Values<S>[K], undefined> | undefined,
    error: errors[name],
    onChange: (value) => set({ [name]: value } as Values<S>),
  });

  return {
    values,
    pending,
    /** Whether something was entered since the form was opened, or saved. */
    dirty,
    /** The errors by field, or by path with `nested`. */
    errors,
    /** Sets values programmatically. */
    set,
    /** Restores the initial values. */
    reset: () => {
      setValues(initial);
      setRefused({ errors: NONE, by: "server" });
      setMessage(null);
    },
    field: <K extends keyof Values<S> & string>(name: K) =>
      nullable(name) as FieldProps<unknown> as FieldProps<NonNullable<Values<S>[K]>>,
    /** A field for which null is a value too. */
    nullable,
    props: {
      ref: element,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(values);
      },
    },
    submit: { pending, message: message ?? (Object.keys(errors).length > 0 ? TEXTS.checkFields : null) },
  };
}

/** The errors of the fields that still break a rule. */
function stillIn(broken: () => Errors, errors: Errors): Errors {
  if (Object.keys(errors).length === 0) return errors;
  const now = broken();
  return splitBy(errors, (name) => Object.hasOwn(now, name))[0];
}

/** The first error of each invalid field, or path, by the call's schema. */
function issuesOf(schema: z.ZodType, values: unknown, nested: boolean): Errors {
  const errors: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(values).error?.issues ?? [])
    errors[nested ? path.join(".") : String(path[0])] ??= message;
  return errors;
}

/** The field that holds the value at a path. */
const fieldOf = (path: string): string => path.split(".", 1)[0] ?? path;

const present = (errors: Readonly<Record<string, string | undefined>>): Errors =>
  Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined));

const isShown = (form: HTMLFormElement | null, path: string) =>
  form !== null && [path, fieldOf(path)].some((name) => form.elements.namedItem(name) !== null);

function splitBy(errors: Errors, holds: (name: string) => boolean): [Errors, Errors] {
  const entries = Object.entries(errors);
  return [
    Object.fromEntries(entries.filter(([name]) => holds(name))),
    Object.fromEntries(entries.filter(([name]) => !holds(name))),
  ];
}
