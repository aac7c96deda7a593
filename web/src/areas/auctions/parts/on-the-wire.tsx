import { Fragment } from "react";
import { askedFor } from "../../../shared/auctions/participants-of.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import type { Explained, ExplainedImp } from "../../../shared/auctions/use-auction.ts";
import { useMayUse } from "../../../shared/session.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { useCopying } from "../../../ui/use-copying.ts";
import type { AuctionAddress } from "../auction-address.ts";
import { type Message, wireOf } from "../wire-of.ts";
import classes from "./on-the-wire.module.css";

interface OnTheWireProps {
  auction: Explained;
  imp: ExplainedImp;
  address: AuctionAddress;
  onChange: (change: Partial<AuctionAddress>) => void;
}

/** Explains which request is shown and, if it is not the adapter's own, why. */
function requestNote(partner: string, isAsSent: boolean, seesKeys: boolean): string {
  if (isAsSent) return `The request as ${partner}’s adapter sent it, made again from the auction’s trace.`;
  const recorded = `The auction’s request, before ${partner}’s adapter added the app’s keys and its format.`;
  return seesKeys
    ? `${recorded} What it sent can be made again only while no keys or settings have changed on the platform, and if the request brought no keys of its own.`
    : `${recorded} What it sent contains the keys, which your role does not see.`;
}

/** The request and the answer of one partner, as recorded. */
export function OnTheWire({ auction, imp, address, onChange }: OnTheWireProps) {
  const seesKeys = useMayUse()("keys.manage");
  const all = askedFor(auction, imp.imp);
  const called = new Set(auction.participants.flatMap(({ provider, calls }) => (calls.length > 0 ? provider : [])));
  // Campaigns bid without a call. An auction without a trace has no calls at all.
  const shown = called.size === 0 ? all : all.filter(({ provider }) => called.has(provider));
  const picked = shown.find(({ provider }) => provider === address.partner) ?? shown[0];
  const wire = picked && wireOf(auction, picked.provider);
  return (
    <Panel
      title="On the wire"
      aside={
        picked ? (
          <select
            aria-label="Partner on the wire"
            className={classes.pick}
            value={picked.provider}
            onChange={(event) => onChange({ partner: event.target.value })}
          >
            {shown.map(({ provider, name }) => (
              <option key={provider} value={provider}>
                {name}
              </option>
            ))}
          </select>
        ) : undefined
      }
    >
      {wire && picked ? (
        <>
          <div className={classes.sides}>
            {wire.messages.map((message) => (
              <Side key={`${message.name} ${message.facts}`} message={message} />
            ))}
          </div>
          {picked.result === "won" ? null : (
            <p className={classes.note}>
              <HelpLink to={`reasons#${picked.code}`}>{picked.text || picked.label}</HelpLink>
            </p>
          )}
          {picked.privacy.map(({ rule, text }) => (
            <p key={rule} className={classes.note}>
              <HelpLink to={`privacy#${rule}`}>{text}</HelpLink>
            </p>
          ))}
          <p className={classes.note}>
            {requestNote(picked.name, wire.isAsSent, seesKeys)} Ids, full addresses, markup and notice links are removed
            before an auction is stored, whether or not {picked.name} got them.
          </p>
        </>
      ) : (
        <EmptyNote
          title="No messages found"
          why={
            auction.traced
              ? "No partner was asked."
              : "No trace of this auction is kept. Traces are kept for two weeks: those of a sample, or in demo mode those of all live traffic."
          }
        />
      )}
    </Panel>
  );
}

function Side({ message: { name, facts, text, why } }: { message: Message }) {
  const [status, copy] = useCopying(() => {});
  return (
    <section className={classes.side} aria-label={`${name}, ${facts}`}>
      <div className={classes.head}>
        <h3>{name}</h3>
        <span>{facts}</span>
        {text === null ? null : (
          <span className={classes.copy}>
            <LinkButton onClick={() => void copy(text)}>
              Copy<span className="visually-hidden"> {name.toLowerCase()}</span>
            </LinkButton>
            <span role="status">{status}</span>
          </span>
        )}
      </div>
      {text === null ? (
        <p className={classes.without}>{why}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must scroll by keyboard too
        <pre tabIndex={0}>
          <Json text={text} />
        </pre>
      )}
    </section>
  );
}

/** JSON with what was removed shown as such. */
function Json({ text }: { text: string }) {
  const parts = text.split('"hidden"');
  return (
    <>
      {parts.map((part, nth) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change their order
        <Fragment key={nth}>
          {nth === 0 ? null : <mark>hidden</mark>}
          {part}
        </Fragment>
      ))}
    </>
  );
}
