import type { AuditEntry } from "@millrace/contract";
import classes from "./parts.module.css";

/** What else an entry says, folded; nothing where it says nothing else. */
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
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
