/// <reference lib="dom" />
import { isDark, newLevel, tap } from "./lamps-game.ts";
import { byId } from "./by-id.ts";

/** Shows the game. `onNextLevel` runs between levels, when an app typically shows an interstitial. */
export function playLamps(onNextLevel: () => Promise<void>): void {
  let level = 1;
  let taps = 0;
  let lamps = newLevel(level, Math.random);

  const buttons = lamps.map((_, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "lamp";
    button.setAttribute("aria-label", `Lamp ${Math.floor(place / 4) + 1}, ${(place % 4) + 1}`);
    button.addEventListener("click", () => {
      if (isDark(lamps)) return;
      lamps = tap(lamps, place);
      taps += 1;
      draw();
    });
    return button;
  });
  byId("board").append(...buttons);

  function draw(): void {
    for (const [place, button] of buttons.entries()) button.setAttribute("aria-pressed", String(lamps[place]));
    byId("level").textContent = `Level ${level}`;
    byId("taps").textContent = taps === 1 ? "1 tap" : `${taps} taps`;
    byId("hint").textContent = isDark(lamps)
      ? "All lamps are off. Continue to the next level."
      : "Tap a lamp to switch it and its neighbours. Switch them all off.";
    byId("next").textContent = isDark(lamps) ? "Next level" : "Skip this level";
  }

  byId("next").addEventListener("click", () => {
    void onNextLevel().then(() => {
      level += 1;
      taps = 0;
      lamps = newLevel(level, Math.random);
      return draw();
    });
  });
  draw();
}
