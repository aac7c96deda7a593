import type { Format } from "@millrace/contract";
import { FORMATS } from "../core/options.ts";
import { button, el } from "./dom.ts";
import type { DebugReply } from "./read-debug-reply.ts";
import type { Source } from "./redirected-transport.ts";
import type { TestAds } from "./test-ads.ts";

const labelOf = (format: Format): string =>
  format === "rewarded" ? "Rewarded video" : format.charAt(0).toUpperCase() + format.slice(1);

/** The platform's own sellers, which can be forced like a partner. */
const OWN = { campaigns: "Campaigns", inhouse: "Cross Promo", "line-items": "Line items" };
const FAKE = "";
const ALL = "all";

interface TestView {
  body: Node;
  /** The choice of sources, once more is known. */
  offer(told: DebugReply | null, token: string): void;
  tell(text: string): void;
}

/** A test ad of each format, from the source that is chosen. */
export function testView(ads: TestAds): TestView {
  const place = el("div", { class: "place" });
  const log = el("ol", { class: "log", "aria-live": "polite" });
  const select = el("select", { id: "source" });
  const redirect = el("input", { type: "checkbox", id: "redirect" });
  let token = "";

  function tell(text: string): void {
    log.prepend(el("li", {}, text));
    while (log.childElementCount > 20) log.lastElementChild?.remove();
  }
  select.addEventListener("change", () => (ads.source = sourceOf(select.value, token)));
  redirect.addEventListener("change", () => (ads.isRedirecting = redirect.checked));
  const buttons = FORMATS.map((format) =>
    button(labelOf(format), () => void ads.show(format, place).then(tell), { "data-format": format }),
  );
  const body = el(
    "div",
    {},
    el("label", { for: "source" }, "Where test ads come from"),
    select,
    el("div", { class: "formats", role: "group", "aria-label": "Show a test ad" }, ...buttons),
    place,
    el(
      "label",
      { class: "check", for: "redirect" },
      redirect,
      "The app's own requests get these ads too, until the page is left",
    ),
    log,
  );

  return {
    body,
    tell,
    offer(told, known) {
      token = known;
      const { value } = select;
      const option = (of: string, label: string) => el("option", { value: of }, label);
      const ready = told?.partners.filter((each) => each.is_on && (each.has_banner_keys || each.has_video_keys)) ?? [];
      select.replaceChildren(
        option(FAKE, "Drawn on this page: no request is sent"),
        ...(told === null
          ? []
          : [
              option(ALL, "A test auction with everybody"),
              ...ready.map(({ provider, name }) => option(provider, `A test auction with ${name} alone`)),
              ...Object.entries(OWN).map(([id, name]) => option(id, `A test auction with ${name} alone`)),
            ]),
      );
      const isThere = [...select.options].some((each) => each.value === value);
      select.value = isThere ? value : FAKE;
      ads.source = sourceOf(select.value, token);
      redirect.checked = ads.isRedirecting;
    },
  };
}

function sourceOf(value: string, token: string): Source {
  if (value === FAKE) return { kind: "fake" };
  return { kind: "auction", token, provider: value === ALL ? null : value };
}
