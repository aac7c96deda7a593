/** A game of sixteen lamps: a tap toggles a lamp and its neighbours, and the level is complete when all are off. */
export type Lamps = readonly boolean[];

const SIDE = 4;

/** The lamps after a tap on `place` (0 to 15, row by row). */
export function tap(lamps: Lamps, place: number): Lamps {
  const row = Math.floor(place / SIDE);
  const column = place % SIDE;
  return lamps.map((lit, other) => {
    const distance = Math.abs(Math.floor(other / SIDE) - row) + Math.abs((other % SIDE) - column);
    return distance <= 1 ? !lit : lit;
  });
}

/** A new level is made by tapping from the solved state, so it can always be solved. */
export function newLevel(level: number, random: () => number): Lamps {
  let lamps: Lamps = Array<boolean>(SIDE * SIDE).fill(false);
  for (let turn = 0; turn < level + 1 || isDark(lamps); turn += 1)
    lamps = tap(lamps, Math.floor(random() * SIDE * SIDE));
  return lamps;
}

export const isDark = (lamps: Lamps) => lamps.every((lit) => !lit);
