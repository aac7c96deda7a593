import type { AuditEntry } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import classes from "./parts.module.css";

/** An entry's further details, collapsed; nothing if there are none. */
export function Details({ entry: { subject, details } }: { entry: Pick<AuditEntry, "subject" | "details"> }) {
  const lines = [...(subject === "" ? [] : [["subject", subject] as const]), ...Object.entries(details)];
  if (lines.length === 0) return <span className={classes.faint}>–</span>;
  return (
    <details className={classes.details}>
      <summary>
        {lines.length} {lines.length === 1 ? "detail" : "details"}
      </summary>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{nameWords(name)}</dt>
            <dd>{valueText(name, value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** `amountMicros` is shown as `amount`, `is_super` as `is super`. */
const nameWords = (name: string): string =>
  name
    .replace(/Micros$/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();

function valueText(name: string, value: unknown): string {
  if (name.endsWith("Micros") && typeof value === "number") return formatMoneyExact(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value === "" ? "none" : value;
  return JSON.stringify(value);
}
