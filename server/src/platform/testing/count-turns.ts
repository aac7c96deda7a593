/** Counts the turns of the event loop until the returned function is called, which tells their number. */
export function countTurns(): () => number {
  let turns = 0;
  let immediate = setImmediate(function next() {
    turns += 1;
    immediate = setImmediate(next);
  });
  return () => {
    clearImmediate(immediate);
    return turns;
  };
}
