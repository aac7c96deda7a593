import type { PlatformFigures } from "@millrace/contract";
import { formatCountExact } from "@millrace/units";
import classes from "./parts.module.css";

type Counted = NonNullable<PlatformFigures["since_start"]>;

/** What the exchange has counted since it started, as `/metrics` has it. */
export function SinceStart({ counted }: { counted: Counted }) {
  return (
    <div className={classes.counters}>
      <Counter title="Imps auctioned" counts={counted.imps} />
      <Counter title="Events not counted" counts={counted.invalid_events} />
      <Counter title="Notices to bidders" counts={counted.notices} />
      <Counter title="Video and audio markup refused" counts={counted.refused_vast} />
      <Counter
        title="Partners paused now"
        counts={[{ result: "by their circuit breaker", count: counted.paused_partners }]}
      />
    </div>
  );
}

function Counter({ title, counts }: { title: string; counts: Counted["imps"] }) {
  const some = counts.filter(({ count }) => count > 0);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {some.length === 0 ? (
        <p className={classes.faint}>none</p>
      ) : (
        <dl className={classes.figures}>
          {some.map(({ result, count }) => (
            <div key={result}>
              <dt>{result.replaceAll(/[_-]+/g, " ")}</dt>
              <dd>{formatCountExact(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
