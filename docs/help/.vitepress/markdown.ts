import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MarkdownEnv, MarkdownOptions } from "vitepress";

/** One token of code with a colour of its own: a comment, a string, or a word of the language. */
const TOKENS =
  /(?<comment>(?<![:\w])\/\/[^\n]*|(?<=^|\s)#[^\n]*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<word>\b(?:async|await|const|export|function|import|from|return|if|while|do|done|new|let|true|false|null)\b)/gm;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Code as HTML, coloured by classes: the usual highlighter writes style attributes, which our policy forbids. */
export function highlight(code: string): string {
  let html = "";
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "word";
    html += `${escaped(code.slice(end, match.index))}<span class="code-${kind}">${escaped(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return `<pre class="shiki" v-pre tabindex="0"><code>${html}${escaped(code.slice(end))}</code></pre>`;
}

/** How a page names a picture: `![What it shows](screen:auction)`. */
const SCREEN = /^screen:(\w+)$/;
export const picturePath = (screen: string, scheme: "light" | "dark"): string => `/screens/${screen}-${scheme}.webp`;

const PICTURES = fileURLToPath(new URL("../public", import.meta.url));

/** The size of a picture, which a lossless WebP names after its signature: 14 bits each, less by one. */
export function pictureSize(file: string): { width: number; height: number } {
  const head = readFileSync(file).subarray(0, 25);
  if (head.toString("latin1", 12, 16) !== "VP8L") throw new Error(`${file} is no lossless WebP`);
  const bits = head.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** The build also makes each picture in this width: as wide as a page's text, and enough for a phone. */
export const SMALL_WIDTH = 720;
export const smallPicturePath = (path: string): string => path.replace(/\.webp$/, `-${SMALL_WIDTH}.webp`);

/** A picture of a screen that takes its place before it is loaded. */
function pictureHtml(screen: string, scheme: "light" | "dark", alt: string): string {
  const path = picturePath(screen, scheme);
  const { width, height } = pictureSize(`${PICTURES}${path}`);
  const srcset = `${smallPicturePath(path)} ${SMALL_WIDTH}w, ${path} ${width}w`;
  return `<img class="in-${scheme}" src="${path}" srcset="${srcset}" sizes="(min-width: 768px) 688px, calc(100vw - 48px)" alt="${alt}" width="${width}" height="${height}" loading="lazy">`;
}

/** Markdown without style attributes. */
export const plainMarkdown: MarkdownOptions = {
  highlight: (code) => highlight(code),
  config(md) {
    for (const rule of ["th_open", "td_open"]) {
      md.renderer.rules[rule] = (tokens, index, options, _env, self) => {
        const token = tokens[index];
        const style = token?.attrIndex("style") ?? -1;
        if (token?.attrs && style >= 0) token.attrs.splice(style, 1, ["class", "figure"]);
        return self.renderToken(tokens, index, options);
      };
    }
    // A page names a screen of `docs/screens`; its picture is the one in the colours of the page.
    const image = md.renderer.rules.image;
    md.renderer.rules.image = (tokens, index, options, env, self) => {
      const token = tokens[index];
      const [, screen] = SCREEN.exec(String(token?.attrGet("src"))) ?? [];
      if (!token || screen === undefined) return image?.(tokens, index, options, env, self) ?? "";
      const alt = escaped(token.content);
      return (["light", "dark"] as const).map((scheme) => pictureHtml(screen, scheme, alt)).join("");
    };
    // A wide table scrolls by itself, and can be scrolled by keyboard.
    md.renderer.rules["table_open"] = () => '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>\n';
    md.renderer.rules["table_close"] = () => "</table></div>\n";
  },
};

interface Markdown {
  render(source: string, env: MarkdownEnv): string;
}

/**
 * A page as the search reads it. The pages of calls are found by their addresses and summaries: the names of thousands of fields
 * would bury what explains a word.
 */
export function forSearch(source: string, env: MarkdownEnv, md: Markdown): string {
  const isReference = /^api\/(?!index\.md$)/.test(env.relativePath);
  return md.render(isReference ? source.replaceAll(/^\|.*\n?/gm, "") : source, env);
}
