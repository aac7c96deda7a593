import { escapeHtml } from "@millrace/openrtb";
import type { Subject } from "./subjects.data.ts";

/** The markup of a display ad: a card in CSS and SVG that links to `clickUrl` and loads nothing. */
export function bannerHtml(subject: Subject, width: number, height: number, clickUrl: string): string {
  const [from, to, accent] = subject.colours;
  const strip = width / height > 2.2;
  // All lengths are relative to the shorter side, so one layout fits every size.
  const unit = strip ? height : Math.min(width, height * 0.8);
  const px = (share: number) => `${Math.max(1, Math.round(unit * share))}px`;
  const sizes = strip
    ? { icon: px(0.72), gap: px(0.2), name: px(0.3), line: px(0.22), action: px(0.24), pad: px(0.14) }
    : { icon: px(0.4), gap: px(0.05), name: px(0.1), line: px(0.058), action: px(0.062), pad: px(0.08) };
  const narrow = strip && width < height * 5;
  return `<!doctype html><meta charset="utf-8"><style>
html,body{margin:0;height:100%;overflow:hidden}
a{box-sizing:border-box;display:flex;flex-direction:${strip ? "row" : "column"};align-items:center;justify-content:${strip ? "flex-start" : "center"};
gap:${sizes.gap};width:100%;height:100%;min-height:${height}px;padding:${sizes.pad};color:#fff;text-decoration:none;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;line-height:1.2;text-align:${strip ? "left" : "center"};
background:linear-gradient(135deg,${from},${to})}
svg{flex:none;width:${sizes.icon};height:${sizes.icon};filter:drop-shadow(0 1px 3px rgba(0,0,0,.3))}
div{flex:${strip ? "1" : "none"};min-width:0}
b,small{display:block;overflow:hidden;text-overflow:ellipsis;${strip ? "white-space:nowrap" : ""}}
b{font-size:${sizes.name}}
small{font-size:${sizes.line};opacity:.92}
i{flex:none;font:600 ${sizes.action} system-ui,sans-serif;color:#212529;background:${accent};border-radius:99em;padding:.45em 1.1em}
</style><a href="${escapeHtml(clickUrl)}" target="_blank" rel="noopener"><svg viewBox="0 0 48 48" aria-hidden="true">${subject.icon}</svg><div><b>${escapeHtml(subject.name)}</b>${narrow ? "" : `<small>${escapeHtml(subject.line)}</small>`}</div><i>${escapeHtml(subject.action)}</i></a>`;
}

/** The subject's icon on its background, as an SVG image. */
export function pictureSvg({ colours, icon, slug }: Subject, width: number, height: number): string {
  const side = Math.min(width, height) * 0.6;
  const scale = side / 48;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs><linearGradient id="${slug}" x2="1" y2="1"><stop stop-color="${colours[0]}"/><stop offset="1" stop-color="${colours[1]}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#${slug})"/><g transform="translate(${(width - side) / 2} ${(height - side) / 2}) scale(${scale})">${icon}</g></svg>`;
}
