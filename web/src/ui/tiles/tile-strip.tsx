import type { ReactNode } from "react";
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

/** A strip of key figures that selects the metric of a chart. */
export function TileStrip<Id extends string>(props: TileStripProps<Id>) {
  return (
    <div
      className={classes.strip}
      role="group"
      aria-label={props.label}
      data-stale={props.stale === true ? "" : undefined}
    >
      {props.tiles.map((tile) => (
        <Hint key={tile.id} hint={tile.exact} className={classes.cell}>
          {(described) =>
            props.choices.includes(tile.id) ? (
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
              <div className={classes.tile}>
                <TileBody tile={tile} />
              </div>
            )
          }
        </Hint>
      ))}
    </div>
  );
}

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
    <div className={classes.strip}>
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
