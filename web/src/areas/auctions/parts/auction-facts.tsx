import { FORMAT_LABELS, TEXTS, UNKNOWN_COUNTRY } from "@millrace/contract";
import { formatCpm, formatDay } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Explained, ExplainedImp } from "../../../shared/auctions/use-auction.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { SupportText } from "../../../shared/support-text.tsx";
import classes from "./auction-facts.module.css";

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** When, where, on what and under which floor the request was made. */
export function AuctionFacts({ auction, imp }: { auction: Explained; imp: ExplainedImp }) {
  const { at, country, device, consent, deadline_ms: deadlineMs, replays } = auction;
  const os = [device.os, device.os_version].filter((part) => part !== null && part !== "").join(" ");
  const where = country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : (NAMES.of(country) ?? country);
  return (
    <dl className={classes.facts}>
      <Fact name="When" value={formatDay(at.slice(0, 10))} more={`${at.slice(11, 23)} UTC`} />
      <Fact
        name="Zone"
        value={imp.zone_name === "" ? "–" : imp.zone_name}
        more={FORMAT_LABELS[imp.format].toLowerCase()}
      />
      <Fact name="Where" value={where} more={device.connection ?? undefined} />
      {auction.traced ? (
        <Fact
          name="Device"
          value={os === "" ? "not given" : os}
          more={device.sdk_version === null ? "no SDK named" : `SDK ${device.sdk_version}`}
        />
      ) : null}
      {consent ? <Fact name="Consent" value={consent.label} more={consent.text} /> : null}
      <Fact
        name="Floor"
        value={imp.floor === null ? "not kept" : imp.floor === 0 ? "none" : `${formatCpm(imp.floor)} CPM`}
        more={<FloorSource uuid={auction.app.uuid} imp={imp} />}
      />
      <Fact
        name="Answered in"
        value={imp.answered_ms === null ? "not recorded" : `${Math.round(imp.answered_ms)} ms`}
        more={deadlineMs === null ? undefined : deadlineText(auction.test, imp.answered_ms, deadlineMs)}
      />
      {replays === null ? null : (
        <Fact
          name="Replay"
          value={replays ? "Same decision" : "Another decision"}
          more={
            replays ? (
              "made again from its trace, to the byte"
            ) : (
              <SupportText text="Its trace does not fit: contact us" />
            )
          }
        />
      )}
    </dl>
  );
}

/** The time the auction had for its answer, and how late the answer was. */
function deadlineText(isTest: boolean, answeredMs: number | null, deadlineMs: number): string {
  const late = Math.round(answeredMs ?? 0) - deadlineMs;
  if (isTest && answeredMs === null) return `as for every test; it had ${deadlineMs} ms`;
  return late > 0
    ? `${late} ms later than the ${deadlineMs} ms for the answer, as on a busy server`
    : `of ${deadlineMs} ms for the answer`;
}

/** Who set the floor, and the way to its rule. */
function FloorSource({ uuid, imp: { floor_by: by } }: { uuid: string; imp: ExplainedImp }) {
  const mayUse = useMayUse();
  if (by === null) return "";
  if ((by.source !== "publisher" && by.source !== "automatic") || !mayUse("settings.manage")) return by.text;
  if (by.source === "automatic") {
    return (
      <>
        {by.text}{" "}
        <Link to={PATHS.appMediation} params={{ uuid }} hash="automatic-floors" aria-label="Why? Automatic floors">
          Why?
        </Link>
      </>
    );
  }
  const { country, format } = by;
  const rule = {
    ...(country !== null && { country }),
    ...(format !== null && { format }),
    ...(country === null && format === null && { floor: "any" }),
  };
  return (
    <>
      {by.text}{" "}
      <Link to={PATHS.appMediation} params={{ uuid }} search={rule} hash="floors" aria-label="Why? The floor’s rule">
        Why?
      </Link>
    </>
  );
}

function Fact({ name, value, more }: { name: string; value: string; more?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more === undefined ? null : <small>{more}</small>}
      </dd>
    </div>
  );
}
