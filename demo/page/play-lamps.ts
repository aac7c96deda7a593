/// <reference lib="dom" />
import { isDark, newLevel, tap } from "./lamps-game.ts";
import { byId } from "./by-id.ts";

export interface Game {
  /** Points at a lamp to tap: what a player earns by watching a rewarded ad. */
  hint(): void;
}

const HELP = "Tap a lamp to switch it and its neighbours. Switch them all off.";

/** Shows the game. `onNextLevel` runs between levels, when an app typically shows a full-screen ad. */
export function playLamps(onNextLevel: (finished: number) => Promise<void>): Game {
  let number = 1;
  let taps = 0;
  let level = newLevel(number, Math.random);
  let hinted: number | null = null;

  const buttons = level.lamps.map((_, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "lamp";
    button.addEventListener("click", () => {
      if (isDark(level)) return;
      level = tap(level, place);
      taps += 1;
      hinted = null;
      draw();
    });
    return button;
  });
  byId("board").append(...buttons);

  function draw(): void {
    for (const [place, button] of buttons.entries()) {
      button.setAttribute("aria-pressed", String(level.lamps[place]));
      button.classList.toggle("hinted", place === hinted);
    }
    byId("level").textContent = `Level ${number}`;
    byId("taps").textContent = taps === 1 ? "1 tap" : `${taps} taps`;
    byId("hint").textContent = isDark(level)
      ? "All lamps are off. Continue to the next level."
      : hinted === null
        ? HELP
        : `Hint: tap ${nameOf(hinted).toLowerCase()}.`;
    byId("next").textContent = isDark(level) ? "Next level" : "Skip this level";
  }

  for (const [place, button] of buttons.entries()) button.setAttribute("aria-label", nameOf(place));
  byId("next").addEventListener("click", () => {
    void onNextLevel(number).then(() => {
      number += 1;
      taps = 0;
      hinted = null;
      level = newLevel(number, Math.random);
      return draw();
    });
  });
  draw();
  return {
    hint() {
      hinted = [...level.solution][0] ?? null;
      draw();
    },
  };
}

const nameOf = (place: number) => `Lamp ${Math.floor(place / 4) + 1}, ${(place % 4) + 1}`;
