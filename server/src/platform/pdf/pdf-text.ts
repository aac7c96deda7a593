import { LIGHT } from "../brand.ts";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Font } from "fontkit";

export interface TextStyle {
  size: number;
  bold?: boolean;
  color?: string;
}

/** Draws any text at a position, left- or right-aligned, whatever its characters. */
export interface PdfText {
  width(text: string, style: TextStyle): number;
  /** The text, cut with an ellipsis if it is wider. */
  fitted(text: string, maxWidth: number, style: TextStyle): string;
  /** Lines of at most this width, the last one cut if there would be more. */
  lines(text: string, maxWidth: number, most: number, style: TextStyle): string[];
  /** `x` is the start of the text or, with `align: "right"`, its end. `y` is its top. */
  write(text: string, x: number, y: number, style: TextStyle & { align?: "left" | "right" }): void;
}

/** The characters of the standard fonts (WinAnsiEncoding), which are fast and not embedded. */
const PLAIN = /^[\x20-\x7e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac\u2122]*$/;
/** Right-to-left letters and the characters between them, without digits. */
const RIGHT_TO_LEFT =
  /([\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[\s\p{P}]+[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*)/u;
/** The baseline's distance from the top, as a part of the font size. */
const BASELINE = 0.75;
const NO_GLYPH = "\u25a1";
/** No cell shows more characters, so longer texts are cut before they are measured. */
const LONGEST = 400;

const segments = new Intl.Segmenter("en", { granularity: "grapheme" });
const graphemesOf = (text: string) => [...segments.segment(text)].map(({ segment }) => segment);

interface WideFont {
  regular: Buffer;
  bold: Buffer;
  glyphs: Font;
}

let wide: WideFont | null = null;

/** DejaVu has Latin, Greek, Cyrillic, Hebrew, Arabic and many signs. It is read when a text first needs it. */
function wideFont(glyphsOf: (file: Buffer) => Font): WideFont {
  if (wide) return wide;
  const read = (name: string) =>
    readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  const regular = read("DejaVuSans");
  wide = { regular, bold: read("DejaVuSans-Bold"), glyphs: glyphsOf(regular) };
  return wide;
}

/** The text as one drawable line: no controls, no stacks of marks, and a box for characters that no font here has. */
function writable(text: string, fontFor: () => WideFont): string {
  const line = text.slice(0, LONGEST).normalize("NFC").replaceAll(/\s+/g, " ");
  // The standard fonts lack the minus; their dash looks alike.
  const plain = line.replaceAll("\u2212", "\u2013");
  if (PLAIN.test(plain)) return plain;
  // Format characters could change the direction of all following text.
  const clean = line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "").replaceAll(/(\p{M}{2})\p{M}+/gu, "$1");
  const { glyphs } = fontFor();
  return graphemesOf(clean)
    .map((one) =>
      Array.from(one).every((sign) => glyphs.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0)) ? one : NO_GLYPH,
    )
    .join("");
}

/** The text of one document. The library that reads fonts is loaded for the first one, like pdfkit, which uses it too. */
export async function pdfText(doc: PDFKit.PDFDocument): Promise<PdfText> {
  const { create } = await import("fontkit");
  const fontFor = () => wideFont((file) => create(file) as Font);
  const registered = new Set<string>();
  const choose = (text: string, { size, bold = false }: TextStyle) => {
    if (PLAIN.test(text)) doc.font(bold ? "Helvetica-Bold" : "Helvetica");
    else {
      const name = bold ? "bold" : "regular";
      if (!registered.has(name)) {
        doc.registerFont(name, fontFor()[name]);
        registered.add(name);
      }
      doc.font(name);
    }
    doc.fontSize(size);
  };
  const measured = (text: string, style: TextStyle): number => {
    choose(text, style);
    return doc.widthOfString(text);
  };

  /** The most graphemes from the start that fit, by halving. */
  const fitting = (graphemes: readonly string[], maxWidth: number, style: TextStyle, end: string): number => {
    let [fits, over] = [0, graphemes.length + 1];
    while (over - fits > 1) {
      const middle = (fits + over) >> 1;
      if (measured(graphemes.slice(0, middle).join("") + end, style) <= maxWidth) fits = middle;
      else over = middle;
    }
    return fits;
  };

  const cut = (text: string, maxWidth: number, style: TextStyle): string => {
    if (measured(text, style) <= maxWidth) return text;
    const graphemes = graphemesOf(text);
    const shown = graphemes.slice(0, fitting(graphemes, maxWidth, style, "…")).join("");
    return `${shown.trimEnd()}…`;
  };

  return {
    width: (text, style) => measured(writable(text, fontFor), style),
    fitted: (text, maxWidth, style) => cut(writable(text, fontFor), maxWidth, style),
    lines(text, maxWidth, most, style) {
      const lines: string[] = [];
      let rest = writable(text, fontFor);
      while (rest !== "" && lines.length < most - 1 && measured(rest, style) > maxWidth) {
        const graphemes = graphemesOf(rest);
        const whole = Math.max(1, fitting(graphemes, maxWidth, style, ""));
        const space = graphemes.slice(0, whole + 1).lastIndexOf(" ");
        const end = space > 0 ? space : whole;
        lines.push(graphemes.slice(0, end).join("").trimEnd());
        rest = graphemes.slice(end).join("").trimStart();
      }
      return rest === "" ? lines : [...lines, cut(rest, maxWidth, style)];
    },
    write(text, x, y, { align = "left", color = LIGHT.ink, ...style }) {
      const line = writable(text, fontFor);
      if (line === "") return;
      choose(line, style);
      doc.fillColor(color);
      let at = align === "right" ? x - doc.widthOfString(line) : x;
      // pdfkit shapes each run of letters but does not order the runs.
      for (const [index, run] of (PLAIN.test(line) ? [line] : line.split(RIGHT_TO_LEFT)).entries()) {
        if (run === "") continue;
        const shown = index % 2 === 1 ? run.replaceAll(" ", "\u00a0") : run;
        // The known width spares pdfkit measuring; one baseline suits all fonts.
        const known = { textWidth: doc.widthOfString(shown), wordCount: 1 };
        doc.text(shown, at, y + BASELINE * style.size, { lineBreak: false, baseline: "alphabetic", ...known });
        at += known.textWidth;
      }
    },
  };
}
