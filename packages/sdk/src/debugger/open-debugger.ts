import { messageOf } from "../core/index.ts";
import { auctionsView } from "./auctions-view.ts";
import { appAdsLine, checkSetup } from "./check-setup.ts";
import type { DebuggedSdk } from "./debugged-sdk.ts";
import { button, el, lineList, link, section } from "./dom.ts";
import { askedAds, endpointOf, pageFacts } from "./page-facts.ts";
import { askDebugReply, type DebugReply } from "./read-debug-reply.ts";
import { STYLES } from "./styles.ts";
import { testAds } from "./test-ads.ts";
import { testView } from "./test-view.ts";
import { adapterLines, partnerLines, zoneLines } from "./told-lines.ts";

interface Debugger {
  open(token?: string): void;
  /** Ends what it redirects, and removes it. */
  end(): void;
}
/** One per page, so that what it redirects has one switch; and per start of the SDK, because that may be for another app. */
let made: (Debugger & Pick<DebuggedSdk, "options">) | null = null;

export function openDebugger(of: DebuggedSdk, token?: string): void {
  if (made?.options !== of.options) {
    made?.end();
    made = { ...makeDebugger(of), options: of.options };
  }
  made.open(token);
}

function makeDebugger(of: DebuggedSdk): Debugger {
  let token = "";
  let told: DebugReply | null = null;
  const endpoint = endpointOf(of);
  const ads = testAds(of, (text) => tests.tell(text));
  const tests = testView(ads);

  const host = el("div", { "data-millrace-debugger": "" });
  const root = host.attachShadow({ mode: "open" });
  if ("adoptedStyleSheets" in root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
  }

  const [setup, zones, partners, auctions, test] = [
    "Set-up",
    "Zones",
    "Partners and adapters",
    "Last auctions",
    "Test ads",
  ].map(section) as [Section, Section, Section, Section, Section];
  test.body.append(tests.body);
  const alert = el("p", { class: "alert", role: "alert" });
  const about = el("p", { class: "about", role: "status" });
  const field = el("input", { id: "token", name: "token", autocomplete: "off", spellcheck: "false" });
  const form = el(
    "form",
    {},
    el("label", { for: "token" }, "Debug token"),
    field,
    el("button", { type: "submit" }, "Read the app's settings"),
    about,
    alert,
    link("Make a token in the dashboard", `${endpoint}/apps/${encodeURIComponent(of.options.app)}/settings`),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    token = field.value.trim();
    void refresh();
  });
  const title = el("h1", { id: "title", tabindex: "-1" }, "Debugger");
  const dialog = el(
    "dialog",
    { "aria-labelledby": "title" },
    el(
      "header",
      {},
      title,
      button("Refresh", () => void refresh()),
      button("Close", () => dialog.close()),
    ),
    form,
    ...[setup, zones, partners, auctions, test].map(({ element }) => element),
  );
  const badge = button("Debugger: test ads are on", () => open(), { class: "badge" });
  dialog.addEventListener("close", () => {
    if (ads.isRedirecting) root.append(badge);
    else host.remove();
  });
  root.append(dialog);

  let turns = 0;
  async function refresh(): Promise<void> {
    const turn = ++turns;
    let found: DebugReply | null = null;
    let trouble = "";
    if (token !== "") {
      about.textContent = "Asking the platform…";
      try {
        found = await ask(askedAds(of.host.calls).flatMap(({ auction }) => auction ?? []));
      } catch (cause) {
        trouble = messageOf(cause);
      }
    }
    // An answer that comes late says nothing about the token that was entered since.
    if (turn !== turns) return;
    told = found;
    alert.textContent = trouble;
    about.textContent = told
      ? `The token is valid until ${new Date(told.token_expires_at).toLocaleTimeString()}.`
      : "Without a token, you see what this page knows. A token shows the app's settings and each partner's result.";
    await draw();
  }

  const ask = (auctions: string[]): Promise<DebugReply> =>
    askDebugReply(of.host.transport, endpoint, { token, auctions });

  async function draw(): Promise<void> {
    const asked = askedAds(of.host.calls);
    setup.body.replaceChildren(lineList([...checkSetup(await pageFacts(of), told), appAdsLine(told)]));
    const lines = zoneLines(told, asked);
    zones.body.replaceChildren(lines.length > 0 ? lineList(lines) : el("p", {}, "No zone has been asked for yet."));
    partners.body.replaceChildren(...partnersOf());
    auctions.body.replaceChildren(auctionsView(asked, told?.auctions ?? [], endpoint));
    tests.offer(told, token);
  }

  function partnersOf(): Node[] {
    const registered = of.sdk.adapterNames() ?? [];
    const names =
      registered.length > 0 ? `Adapters of this app: ${registered.join(", ")}.` : "This app has no adapters.";
    if (!told) return [el("p", {}, `${names} Enter a token to see the partners.`)];
    const { withKeys, withoutKeys } = partnerLines(told);
    const adapters = adapterLines(told, registered);
    return [
      withKeys.length > 0 ? lineList(withKeys) : el("p", {}, "The app has keys at no partner."),
      ...(withoutKeys.length > 0
        ? [el("details", {}, el("summary", {}, `${withoutKeys.length} without keys`), lineList(withoutKeys))]
        : []),
      el("h3", {}, "Adapters"),
      adapters.length > 0 ? lineList(adapters) : el("p", {}, `No line item needs an adapter. ${names}`),
    ];
  }

  function open(given = ""): void {
    if (given !== "") token = field.value = given;
    badge.remove();
    document.body.append(host);
    if (!dialog.open) dialog.showModal();
    title.focus();
    void refresh();
  }
  return {
    open,
    end() {
      ads.end();
      host.remove();
    },
  };
}

type Section = ReturnType<typeof section>;
