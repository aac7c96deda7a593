import type { CSSProperties, ReactNode } from "react";
import { Hint } from "../bubble/hint.tsx";
import { SkeletonBar } from "../states/skeletons.tsx";
import classes from "./tile-strip.module.css";

export interface Tile<Id extends string> {
  id: Id;
  label: string;
  figure: ReactNode;
  /** The figure with all digits, and the figure it is compared with. */
  exact: ReactNode;
  below: ReactNode;
  /** Small and beside the label, such as a gauge. */
  beside?: ReactNode;
}

interface TileStripProps<Id extends string> {
  label: string;
  tiles: readonly Tile<Id>[];
  /** The tiles that can be chosen; the others are only displayed. */
  choices: readonly string[];
  chosen: string;
  onChoose: (id: Id) => void;
  stale?: boolean;
}

/** A strip of key figures that selects the metric of a chart. On a phone it is swiped. */
export function TileStrip<Id extends string>(props: TileStripProps<Id>) {
  return (
    <div
      className={classes.strip}
      style={countOf(props.tiles)}
      role="group"
      aria-label={props.label}
      data-stale={props.stale === true ? "" : undefined}
    >
      {props.tiles.map((tile) => (
        <Hint key={tile.id} hint={tile.exact} className={classes.cell}>
          {(described) => (
            <>
              {props.choices.includes(tile.id) ? (
                <button
                  type="button"
                  className={classes.tile}
                  aria-pressed={tile.id === props.chosen}
                  onClick={() => props.onChoose(tile.id)}
                  {...described}
                >
                  <TileBody tile={tile} />
                </button>
              ) : (
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its exact figure shows on focus, and a phone's strip scrolls to it
                <div className={classes.tile} tabIndex={0} {...described}>
                  <TileBody tile={tile} />
                </div>
              )}
              {tile.beside === undefined ? null : <span className={classes.beside}>{tile.beside}</span>}
            </>
          )}
        </Hint>
      ))}
    </div>
  );
}

/** The number of tiles in a row, and in each of two rows. */
const countOf = (tiles: readonly unknown[]) =>
  ({ "--tiles": tiles.length, "--half": Math.ceil(tiles.length / 2) }) as CSSProperties;

function TileBody<Id extends string>({ tile }: { tile: Tile<Id> }) {
  return (
    <>
      <span className={classes.label}>{tile.label}</span>
      <span className={classes.figure}>{tile.figure}</span>
      <span className={classes.below}>{tile.below}</span>
    </>
  );
}

export function TileStripSkeleton({ labels }: { labels: readonly string[] }) {
  return (
    <div className={classes.strip} style={countOf(labels)}>
      {labels.map((label) => (
        <div key={label} className={classes.cell}>
          <div className={classes.tile}>
            <span className={classes.label}>{label}</span>
            <span className={classes.figure}>
              <SkeletonBar width="72px" height="19px" />
            </span>
            <span className={classes.below}>
              <SkeletonBar width="40px" height="10px" />
            </span>
          </div>
        </div>
      ))}
    </div>
  );
}
