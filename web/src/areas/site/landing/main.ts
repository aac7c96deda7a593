import "./landing.css";
import "./auction-picture.css";
import "./sections.css";
import { livingAuctions } from "./living-auctions.ts";

// Outside a demo there are no auctions that strangers may see, and no ads that may be shown to them.
if (document.documentElement.dataset["demo"] === "yes") {
  const figure = document.querySelector<HTMLElement>("[data-auction]");
  if (figure) livingAuctions(figure);
  previews(document.querySelectorAll<HTMLElement>("[data-preview]"));
}

/** Lets each format's picture be replaced by a frame in which the SDK shows a real ad. */
function previews(phones: Iterable<HTMLElement>): void {
  for (const phone of phones) {
    const button = phone.querySelector("button");
    if (!button) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const frame = document.createElement("iframe");
      frame.src = `/demo/preview.html#${phone.dataset["preview"]}`;
      frame.title = phone.dataset["title"] ?? "";
      frame.allow = "autoplay";
      phone.replaceChildren(frame);
      frame.focus();
    });
  }
}
