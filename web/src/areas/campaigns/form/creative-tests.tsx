import { type CreativeTest, creativeTests, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { LIVE_MS } from "../api.ts";
import own from "./creative-tests.module.css";
import classes from "./form.module.css";

/** How a campaign's creatives compare, which may be looked at as often as one likes. */
export function CreativeTests({ uuid }: { uuid: string }) {
  const tests = useQuery({
    queryKey: ["creative tests", uuid],
    queryFn: ({ signal }) => callApi(creativeTests, { params: { id: uuid }, signal }),
    refetchInterval: ({ state }) => state.data !== undefined && LIVE_MS,
  });
  return (
    <Loaded query={tests} loading={loadingText("the comparison")} skeleton={<RowsSkeleton rows={3} height={40} />}>
      {({ tests: shown }) =>
        shown.length === 0 ? (
          <p className={classes.hint}>
            Creatives are compared once two of them are approved that fit the same places: full-screen images, banners
            of one size, or videos of one shape, length and type.
          </p>
        ) : (
          <div className={own.tests}>
            {shown.map((test) => (
              <Test key={test.place} test={test} />
            ))}
            <p className={classes.hint}>
              You can look at any time: among identical creatives, at most 1 test in 20 ever names a better one. A line
              shows the rates that are still possible.
            </p>
          </div>
        )
      }
    </Loaded>
  );
}

const RATES = [
  { id: "ctr", label: "Click rate" },
  { id: "cvr", label: "Conversion rate" },
] as const;

function Test({ test }: { test: CreativeTest }) {
  const { place, since, creatives } = test;
  const nameOf = (id: string) => `Creative ${creatives.findIndex(({ c_id }) => c_id === id) + 1}`;
  const scales = {
    ctr: Math.max(...creatives.map(({ ctr }) => ctr.high)),
    cvr: Math.max(...creatives.map(({ cvr }) => cvr.high)),
  };
  return (
    <section className={own.test} aria-label={`Comparison, ${place}`}>
      <p className={own.place}>
        <b>{place}</b>
        <span>{`${Date.parse(since) > Date.now() ? "from" : "since"} ${formatMoment(since)} UTC, impressions that were shown evenly`}</span>
      </p>
      <dl className={own.verdicts}>
        {RATES.map(({ id, label }) => (
          <div key={id}>
            <dt>{label}</dt>
            <Verdict verdict={test[id]} nameOf={nameOf} />
          </div>
        ))}
      </dl>
      <table className={own.rates}>
        <caption className="visually-hidden">{`Rates of the creatives, ${place}`}</caption>
        <thead>
          <tr>
            <th scope="col">Creative</th>
            <th scope="col">Impressions</th>
            {RATES.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {creatives.map(({ c_id, name, image_url, impressions, ...rates }) => (
            <tr key={c_id}>
              <th scope="row">
                <span className={own.creative}>
                  {image_url === null ? null : <img src={image_url} alt={name} loading="lazy" />}
                  {nameOf(c_id)}
                </span>
              </th>
              <td data-label="Impressions" title={formatCountExact(impressions)}>
                {formatCount(impressions)}
              </td>
              {RATES.map(({ id, label }) => (
                <td key={id} data-label={label}>
                  <Rate rate={rates[id]} scale={scales[id]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Nothing is named better before it is. */
function Verdict({ verdict, nameOf }: { verdict: CreativeTest["ctr"]; nameOf: (id: string) => string }) {
  const { winner, leading } = verdict;
  const words = winner === null ? "No difference yet" : `${nameOf(winner)} is better`;
  return (
    <dd>
      <span className={own.words} data-kind={winner === null ? undefined : "good"}>
        {words}
      </span>
      <small>
        {leading === null
          ? "Nothing to compare so far"
          : `${nameOf(leading.c_id)} against ${nameOf(leading.next)}: ${points(leading.low)} to ${points(leading.high)} pt`}
      </small>
    </dd>
  );
}

/** A rate, and the interval of those that are possible on an axis from 0 that all creatives share. */
function Rate({
  rate: { value, low, high },
  scale,
}: {
  rate: CreativeTest["creatives"][number]["ctr"];
  scale: number;
}) {
  if (value === null) return "–";
  const share = (rate: number) => `${((100 * rate) / (scale || 1)).toFixed(2)}%`;
  return (
    <>
      {percent(value)}
      <small>{`${percent(low)} to ${percent(high)}`}</small>
      <span className={own.axis} aria-hidden="true">
        <span style={{ left: share(low), width: share(high - low) }} />
        <i style={{ left: share(value) }} />
      </span>
    </>
  );
}

const percent = (value: number): string => `${value.toFixed(2)}%`;
const points = (value: number): string => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
