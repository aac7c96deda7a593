import { type CreativeTest, creativeTests, loadingText } from "@millrace/contract";
import { formatCount, formatPercent } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { LIVE_MS } from "../api.ts";
import classes from "./form.module.css";
import own from "./measurement.module.css";

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
            Creatives are compared once two of them are approved that fit the same places: full-screen images, or
            banners of one size.
          </p>
        ) : (
          <div className={own.tests}>
            {shown.map((test) => (
              <Test key={test.place} test={test} />
            ))}
            <p className={classes.hint}>
              Intervals hold at every moment: of 20 tests between creatives that are alike, at most one ever names a
              winner, however often you look.
            </p>
          </div>
        )
      }
    </Loaded>
  );
}

function Test({ test }: { test: CreativeTest }) {
  const { place, since, creatives } = test;
  const nameOf = (id: string) => {
    const nth = creatives.findIndex(({ c_id }) => c_id === id);
    return `Creative ${nth + 1}`;
  };
  return (
    <section aria-label={`Comparison, ${place}`}>
      <p className={classes.hint}>{`${place}, since ${formatMoment(since)} UTC, evenly shown impressions only`}</p>
      <p className={own.verdict}>{verdictText("Click rate", test.ctr, nameOf)}</p>
      <p className={own.verdict}>{verdictText("Conversion rate", test.cvr, nameOf)}</p>
      <table className={own.lines}>
        <caption className="visually-hidden">{`Rates of the creatives, ${place}`}</caption>
        <thead>
          <tr>
            <th scope="col">Creative</th>
            <th scope="col">Impressions</th>
            <th scope="col">Click rate</th>
            <th scope="col">Conversion rate</th>
          </tr>
        </thead>
        <tbody>
          {creatives.map(({ c_id, name, image_url, impressions, ctr, cvr }) => (
            <tr key={c_id}>
              <td>
                <span className={own.creative}>
                  <img src={image_url} alt={name} loading="lazy" /> {nameOf(c_id)}
                </span>
              </td>
              <td>{formatCount(impressions)}</td>
              <td>
                <Rate rate={ctr} />
              </td>
              <td>
                <Rate rate={cvr} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Rate({ rate: { value, low, high } }: { rate: CreativeTest["creatives"][number]["ctr"] }) {
  return value === null ? (
    "–"
  ) : (
    <>
      {formatPercent(value)}
      <small>{`${formatPercent(low)} to ${formatPercent(high)}`}</small>
    </>
  );
}

/** The words of a comparison: nothing is named better before it is. */
function verdictText(what: string, { winner, leading }: CreativeTest["ctr"], nameOf: (id: string) => string): string {
  if (leading === null) return `${what}: no difference yet. Nothing to compare so far.`;
  const range = `${points(leading.low)} to ${points(leading.high)} percentage points`;
  const between = `${nameOf(leading.c_id)} against ${nameOf(leading.next)}`;
  return winner === null
    ? `${what}: no difference yet. ${between} is between ${range}.`
    : `${what}: ${nameOf(winner)} is better. ${between} is between ${range}.`;
}

const points = (value: number): string => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
