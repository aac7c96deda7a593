import { type AppAds, appAdsTxt, notFoundText } from "@millrace/contract";
import { useRef } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { CheckIcon, CopyIcon, DownloadIcon } from "../../../ui/icons.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock, type BlockQuery } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { useCopying } from "../../../ui/use-copying.ts";
import panels from "../parts/panels.module.css";
import classes from "./app-ads.module.css";

/** The file line by line, with the partners that need each. */
export function Lines({ query }: { query: BlockQuery<AppAds> }) {
  const list = useRef<HTMLOListElement>(null);
  const [status, copy] = useCopying(() => {
    if (list.current) getSelection()?.selectAllChildren(list.current);
  });
  return (
    <LoadedBlock
      title="app-ads.txt"
      repeatsHeading
      query={query}
      loading="Loading app-ads.txt ..."
      skeleton={<RowsSkeleton rows={10} height={30} />}
      isEmpty={({ lines, left_out }) => lines.length === 0 && left_out.length === 0}
      empty={
        <EmptyNote
          title={notFoundText("lines")}
          why="Lines come from the partners that bid for your apps. Add a partner's keys to an app to see its lines here."
          action={<HelpLink to="publishers/app-ads-txt">What app-ads.txt is for</HelpLink>}
        />
      }
      aside={<Tools ads={query.data} status={status} onCopy={(text) => void copy(text)} />}
    >
      {({ lines, left_out: leftOut }) => (
        <>
          {lines.length === 0 ? null : (
            <>
              <p className={panels.about}>
                Add these lines to the file app-ads.txt at the root of your developer site. Buyers read it to see who
                may sell your inventory, and many do not bid on apps whose file lacks their line.
              </p>
              <ol ref={list} className={classes.lines}>
                {lines.map(({ line, partners }) => (
                  <li key={line}>
                    <code>{line}</code>
                    <small>{partners.join(", ")}</small>
                  </li>
                ))}
              </ol>
            </>
          )}
          {leftOut.length === 0 ? null : <LeftOut lines={leftOut} />}
        </>
      )}
    </LoadedBlock>
  );
}

/** Partners whose lines need keys first. Explains an empty list. */
const LeftOut = ({ lines }: { lines: AppAds["left_out"] }) => (
  <section aria-label="Lines without keys" className={classes.leftOut}>
    <p className={panels.about}>
      {lines.length === 1 ? "One line is" : `${lines.length} lines are`} left out until your apps have these keys:
    </p>
    <ul className={classes.lines}>
      {lines.map(({ partner, line, keys }) => (
        <li key={`${partner} ${line}`}>
          <code>{line}</code>
          <small>
            {partner}: {keys.join(", ")} {keys.length === 1 ? "is" : "are"} missing
          </small>
        </li>
      ))}
    </ul>
  </section>
);

function Tools({ ads, status, onCopy }: { ads: AppAds | undefined; status: string; onCopy: (text: string) => void }) {
  if (!ads || ads.lines.length === 0) return null;
  return (
    <span className={classes.tools}>
      <span className={classes.said} role="status">
        {status}
      </span>
      <button type="button" className={classes.tool} onClick={() => onCopy(textOf(ads))}>
        {status === "Copied" ? <CheckIcon /> : <CopyIcon />} Copy all
      </button>
      <a className={classes.tool} href={addressOf(appAdsTxt, {}, {})} download="app-ads.txt">
        <DownloadIcon /> Download
      </a>
    </span>
  );
}

const textOf = ({ lines }: AppAds) => `${lines.map(({ line }) => line).join("\n")}\n`;
