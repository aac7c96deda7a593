import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { loadingText } from "@millrace/contract";
import { formatCpm } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../paths.ts";
import { useFocusBack } from "../../ui/modal/use-focus-back.ts";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { Loaded } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar, RowsSkeleton } from "../../ui/states/skeletons.tsx";
import classes from "./auction-drawer.module.css";
import shared from "./auctions.module.css";
import { HelpLink } from "../help-link.tsx";
import { Gist } from "./gist.tsx";
import { NotAsked } from "./not-asked.tsx";
import { askedFor } from "./participants-of.ts";
import { FeeSource, PriceLines } from "./price-lines.tsx";
import { type Explained, type ExplainedImp, isUnknown, useAuction } from "./use-auction.ts";

/** An auction that the drawer explains. */
export interface DrawerSubject {
  id: string;
  /** Of the drawer. */
  title: string;
  /** Of a request with several ads, the one that this provider won is explained; the first if it is null. */
  provider: string | null;
}

/** Explains money by the auction behind it. Closed while `subject` is null. */
export function AuctionDrawer({ subject, onClose }: { subject: DrawerSubject | null; onClose: () => void }) {
  // The focus is remembered when the drawer changes from closed to open, so it never starts open.
  const mounted = useMounted();
  const giveFocusBack = useFocusBack(subject !== null);
  return (
    <Drawer.Root
      opened={subject !== null && mounted}
      onClose={onClose}
      onExitTransitionEnd={giveFocusBack}
      position="right"
      size={520}
      // The library's scroll lock writes a style without our nonce.
      lockScroll={false}
      classNames={{ content: classes.drawer }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.drawerHead}>
          <Drawer.Title className={classes.drawerTitle}>{subject?.title ?? ""}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{subject ? <Explanation subject={subject} /> : null}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Explanation({ subject }: { subject: DrawerSubject }) {
  const auction = useAuction(subject.id);
  if (isUnknown(auction.error)) return <UnknownAuction />;
  return (
    <Loaded
      query={auction}
      loading={loadingText("auction")}
      skeleton={
        <div className={classes.story}>
          <SkeletonBar height="84px" />
          <RowsSkeleton rows={10} height={42} />
        </div>
      }
    >
      {(explained) => <Story auction={explained} provider={subject.provider} />}
    </Loaded>
  );
}

/** Shown for an auction of which nothing is kept. */
export function UnknownAuction() {
  return (
    <EmptyNote
      title="No record of this auction found"
      why="Single requests are kept for a limited time. The id may be mistyped, or belong to another account."
    />
  );
}

/** An auction in short, with the way to its page. */
function Story({ auction, provider }: { auction: Explained; provider: DrawerSubject["provider"] }) {
  const imp = auction.imps.find(({ price }) => price?.provider === provider) ?? auction.imps[0];
  if (!imp) return <UnknownAuction />;
  return (
    <div className={classes.story}>
      <Gist imp={imp} />
      {imp.price ? (
        <div>
          <PriceLines price={imp.price} />
          <FeeSource price={imp.price} />
        </div>
      ) : null}
      <h3>Who took part</h3>
      <Participants auction={auction} imp={imp} />
      <NotAsked auction={auction} imp={imp.imp} />
      <Link
        to={PATHS.auction}
        params={{ id: auction.auction }}
        search={auction.imps.length > 1 ? { imp: imp.imp } : {}}
        className={classes.open}
      >
        Open the auction
      </Link>
    </div>
  );
}

function Participants({ auction, imp }: { auction: Explained; imp: ExplainedImp }) {
  return (
    <ol className={classes.participants}>
      {askedFor(auction, imp.imp).map(
        ({ provider, name, price, latency_ms: latencyMs, result, label, text, code, privacy }) => (
          <li key={provider}>
            <span className={classes.name}>{name}</span>
            <span className={classes.price}>{price === null ? "" : formatCpm(price)}</span>
            <span className={classes.latency}>{latencyMs === null ? "" : `${Math.round(latencyMs)} ms`}</span>
            <span className={classes.reason}>
              <span className={shared.result} data-result={result}>
                {label}
              </span>{" "}
              {text === "" ? null : <HelpLink to={`reasons#${code}`}>{text}</HelpLink>}
            </span>
            {privacy.map(({ rule, text: withheld }) => (
              <span key={rule} className={classes.privacy}>
                <HelpLink to={`privacy#${rule}`}>{withheld}</HelpLink>
              </span>
            ))}
          </li>
        ),
      )}
    </ol>
  );
}
