import { Panel } from "../../../ui/panel.tsx";
import { campaignWords } from "./campaign-words.ts";
import type { Draft } from "./draft.ts";
import classes from "./summary.module.css";

interface SummaryProps {
  draft: Draft;
  countries: Readonly<Record<string, string>>;
}

/** What the campaign will do with these settings, in words. */
export function Summary({ draft, countries }: SummaryProps) {
  return (
    <Panel title="What it will do" aside="With these settings">
      <dl className={classes.words}>
        {campaignWords(draft, countries).map(({ about, text, open }) => (
          <div key={about} data-open={open ? "" : undefined}>
            <dt>{about}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
