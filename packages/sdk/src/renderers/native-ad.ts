import { type NativeAssets, readNative } from "./native-assets.ts";
import { openLanding, type Renderer } from "./renderer.ts";
import { tracker } from "./vast/tracker.ts";

/** Native ads by Native 1.2: the app draws the assets, or the default view shows them. */
export const nativeAd: Renderer["prepare"] = async (ad) => {
  const native = readNative(ad.markup.content);
  if (!native) return null;
  const tracked = tracker([ad.beacons.impression, ad.beacons.click], { playhead: () => 0, asset: () => "" });
  const box = document.createElement("div");
  return {
    async show({ into, draw }, on) {
      // A native ad is part of the app's page; it has no look of its own over it.
      if (!into) return false;
      const privacyLink = document.createElement("a");
      if (native.assets.privacy !== null) privacyLink.href = native.assets.privacy;
      const onClick = (event: Event) => {
        event.preventDefault();
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        // The page that explains the ad is not the advertiser's, also where the app has drawn the link.
        if (link?.href && link.href === privacyLink.href) return openLanding(privacyLink.href);
        on.clicked();
        tracked.once("click", native.clickTrackers);
        openLanding(native.clickUrl);
      };
      box.addEventListener("click", onClick);
      if (draw) draw(native.assets, box);
      else drawDefault(native.assets, box);
      into.append(box);
      tracked.once("impression", native.impressionTrackers);
      for (const script of native.impressionScripts) box.append(scriptFrame(script));
      return true;
    },
    destroy: () => box.remove(),
  };
};

/** The default view: a card with the app's own font and colours. */
function drawDefault(assets: NativeAssets, into: HTMLElement): void {
  const make = <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    text: string | null,
    style: Record<string, string>,
  ) => {
    const element = document.createElement(tag);
    if (text !== null) element.textContent = text;
    Object.assign(element.style, style);
    return element;
  };
  const picture = (url: string | null, style: Record<string, string>): HTMLElement[] => {
    if (url === null) return [];
    const image = make("img", null, style);
    image.src = url;
    image.alt = "";
    return [image];
  };
  const card = make("article", null, {
    border: "1px solid",
    borderRadius: "12px",
    overflow: "hidden",
    cursor: "pointer",
  });
  card.setAttribute("aria-label", "Advertisement");
  const head = make("div", null, { display: "flex", gap: "10px", padding: "12px", alignItems: "center" });
  const words = make("div", null, { flex: "1", minWidth: "0" });
  words.append(make("strong", assets.title, { display: "block" }));
  words.append(make("small", assets.sponsor === null ? "Ad" : `Ad · ${assets.sponsor}`, { opacity: "0.75" }));
  head.append(
    ...picture(assets.icon, { width: "44px", height: "44px", borderRadius: "8px", objectFit: "cover" }),
    words,
  );
  if (assets.privacy !== null) {
    const privacyLink = make("a", "ⓘ", { padding: "10px", color: "inherit", textDecoration: "none" });
    privacyLink.href = assets.privacy;
    privacyLink.target = "_blank";
    privacyLink.rel = "noopener";
    privacyLink.setAttribute("aria-label", "Why this ad?");
    head.append(privacyLink);
  }
  const foot = make("div", null, { padding: "12px" });
  if (assets.description !== null) foot.append(make("p", assets.description, { margin: "0 0 12px" }));
  const call = make("button", assets.callToAction, {
    minHeight: "44px",
    width: "100%",
    font: "inherit",
    fontWeight: "600",
  });
  call.type = "button";
  foot.append(call);
  card.append(
    head,
    ...picture(assets.image, { width: "100%", display: "block", aspectRatio: "1.91", objectFit: "cover" }),
    foot,
  );
  into.append(card);
}

function scriptFrame(url: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  frame.title = "Measurement";
  frame.style.display = "none";
  frame.srcdoc = `<!doctype html><script src="${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></script>`;
  return frame;
}
