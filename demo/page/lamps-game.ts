/** A game of sixteen lamps: a tap toggles a lamp and its neighbours, and the level is complete when all are off. */
export type Lamps = readonly boolean[];

/** A level as it stands: its lamps, and the taps that would switch all of them off, in any order. */
export interface Level {
  lamps: Lamps;
  solution: ReadonlySet<number>;
}

const SIDE = 4;

/** The level after a tap on `place` (0 to 15, row by row). Two taps on one place undo each other. */
export function tap({ lamps, solution }: Level, place: number): Level {
  const row = Math.floor(place / SIDE);
  const column = place % SIDE;
  const left = new Set(solution);
  if (!left.delete(place)) left.add(place);
  return {
    lamps: lamps.map((lit, other) => {
      const distance = Math.abs(Math.floor(other / SIDE) - row) + Math.abs((other % SIDE) - column);
      return distance <= 1 ? !lit : lit;
    }),
    solution: left,
  };
}

/** A new level is made by tapping from the solved state, so it can always be solved. */
export function newLevel(number: number, random: () => number): Level {
  let level: Level = { lamps: Array<boolean>(SIDE * SIDE).fill(false), solution: new Set() };
  for (let turn = 0; turn < number + 1 || isDark(level); turn += 1)
    level = tap(level, Math.floor(random() * SIDE * SIDE));
  return level;
}

export const isDark = ({ lamps }: Level) => lamps.every((lit) => !lit);
