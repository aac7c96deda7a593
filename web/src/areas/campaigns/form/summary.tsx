import { Panel } from "../../../ui/panel.tsx";
import { campaignWords } from "./campaign-words.ts";
import type { Draft } from "./draft.ts";
import { sizeText } from "./upload-rules.ts";
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

/** The chosen creative where an app shows it. */
export function Preview({ draft, shown }: { draft: Draft; shown: number }) {
  const creative = draft.creatives[shown] ?? draft.creatives[0];
  return (
    <Panel title="Preview" aside={creative ? `${sizeText(creative.image)} pixels` : undefined}>
      <div className={classes.phone} data-format={creative?.format}>
        {creative ? (
          <div className={classes.ad}>
            {creative.image.video ? (
              <video
                src={creative.image.url}
                aria-label={`The creative at ${creative.click_url}`}
                controls
                muted
                playsInline
                preload="metadata"
              />
            ) : (
              <img src={creative.image.url} alt={`The creative at ${creative.click_url}`} />
            )}
            {creative.cta === "" || creative.image.video ? null : <span className={classes.cta}>{creative.cta}</span>}
            <span className={classes.close} aria-hidden="true">
              ×
            </span>
          </div>
        ) : (
          <p>The creative appears here.</p>
        )}
      </div>
    </Panel>
  );
}
