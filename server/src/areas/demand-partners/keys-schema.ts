import type { KeyProperty, RtbExt } from "@millrace/contract";
import { type KeysSchema, findAdapter } from "@millrace/partners";

type FormSchema = RtbExt["schemas"][string]["keys_schema"];

/** A partner kind's keys as the form draws them; a kind that this version does not know has none. */
export function keysSchemaOf(kind: string): FormSchema | null {
  const schema: KeysSchema | undefined = findAdapter(kind)?.keys;
  if (schema === undefined) return null;
  const properties: Record<string, KeyProperty> = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, { ...property }]),
  );
  return { type: "object", title: schema.title, properties, required: [...schema.required] };
}
