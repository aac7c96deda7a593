import { HelpLink } from "../help-link.tsx";
import type { ExplainedImp } from "./use-auction.ts";
import classes from "./auctions.module.css";

/** What happened to a request, in a sentence and what else there is to say. */
export function Gist({ imp }: { imp: ExplainedImp }) {
  return (
    <div className={classes.gist} data-noad={imp.no_ad === null ? undefined : ""}>
      <p>{imp.sentence}</p>
      <p>
        {imp.detail}
        {imp.no_ad ? (
          <>
            {" "}
            <HelpLink to={`reasons#${imp.no_ad.code}`}>What to do about it</HelpLink>
          </>
        ) : null}
      </p>
    </div>
  );
}
