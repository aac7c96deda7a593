import { LIGHT } from "../brand.ts";
import { drawBrand } from "./draw-brand.ts";
import { type PdfTable, drawTable, extentOf } from "./draw-table.ts";
import { makePdf } from "./make-pdf.ts";
import { type TextStyle, pdfText } from "./pdf-text.ts";

/** A business letter: an invoice, a statement. All texts are ready to be read. */
export interface Letter {
  title: string;
  /** The platform's origin, at the top of the first page. */
  publicUrl: string;
  /** The date of the document, also of its file, so that the same letter is the same bytes. */
  madeMs: number;
  /** Who sends it and who gets it, side by side. */
  parties: readonly { label: string; lines: readonly string[] }[];
  facts: readonly Line[];
  tables: readonly (PdfTable & { title?: string })[];
  /** A column of sums below the tables; the last one is set apart. */
  sums: readonly Line[];
  /** Paragraphs below the sums. */
  notes: readonly string[];
}
type Line = readonly [label: string, value: string];

const MARGIN = 54;
const PAGE = { width: 595.28, height: 841.89 };
const BOX = { left: MARGIN, right: PAGE.width - MARGIN, top: MARGIN, bottom: PAGE.height - MARGIN - 20 };
const WIDTH = BOX.right - BOX.left;
const PLAIN = { size: 9.5, color: LIGHT.ink };
const QUIET = { size: 8.5, color: LIGHT.ink2 };
const LABEL = { size: 8, bold: true, color: LIGHT.ink3 };
const MARK = 15;
const LINE = 13;
const GAP = 22;
const SUM_LINE = 16;
/** A table begins on a page that has room for its title, its head and some rows. */
const FEW_ROWS = 80;
const LONGEST_LINES = 12;
const MOST_NAME = 0.5;

/** The letter as PDF: A4 upright, with the number of pages on each. */
export async function letterPdf(letter: Letter): Promise<Buffer> {
  const { title, publicUrl, madeMs, parties, facts, tables, sums, notes } = letter;
  const facing = { title, creator: "Millrace", madeMs, layout: "portrait", bufferPages: true } as const;
  return makePdf(facing, async (doc) => {
    const text = await pdfText(doc);
    let y = BOX.top;
    /** Lets what is that high begin on this page, or on the next one. */
    const room = (height: number) => {
      if (y + height <= BOX.bottom) return;
      doc.addPage();
      y = BOX.top;
    };
    const paragraph = (words: string, x: number, width: number, style: TextStyle) => {
      for (const line of text.lines(words, width, LONGEST_LINES, style)) {
        room(LINE);
        text.write(line, x, y, style);
        y += LINE;
      }
    };

    const platform = `Millrace at ${publicUrl.replace(/^https?:\/\//, "")}`;
    drawBrand(doc, { x: BOX.left, y, size: MARK });
    text.write(platform, BOX.left + MARK + 6, y + 3, QUIET);
    y += 40;
    for (const line of text.lines(title, WIDTH, 2, { size: 20, bold: true })) {
      text.write(line, BOX.left, y, { size: 20, bold: true });
      y += 26;
    }
    y += 12;

    const column = WIDTH / Math.max(parties.length, 1);
    const top = y;
    let lowest = y;
    for (const [index, { label, lines }] of parties.entries()) {
      const x = BOX.left + index * column;
      y = top;
      text.write(label, x, y, LABEL);
      y += LINE + 1;
      for (const line of lines) paragraph(line, x, column - 20, PLAIN);
      lowest = Math.max(lowest, y);
    }
    y = lowest + 14;

    const labelWidth = 16 + Math.max(0, ...facts.map(([label]) => text.width(label, QUIET)));
    for (const [label, value] of facts) {
      room(LINE);
      text.write(label, BOX.left, y + 0.8, QUIET);
      paragraph(value, BOX.left + labelWidth, WIDTH - labelWidth, PLAIN);
    }

    for (const { title: heading, ...table } of tables) {
      y += GAP;
      room(FEW_ROWS);
      if (heading !== undefined) {
        text.write(heading, BOX.left, y, { size: 11, bold: true });
        y += 19;
      }
      const place = { doc, text, top: y, box: BOX };
      const { bottom } = extentOf(table, place);
      await drawTable(place, { mostName: MOST_NAME, ...table });
      y = bottom;
    }

    y += GAP;
    room(Math.min(sums.length * SUM_LINE + 8, BOX.bottom - BOX.top));
    for (const [index, [label, value]] of sums.entries()) {
      const isLast = index === sums.length - 1;
      const style = { ...PLAIN, bold: isLast, size: isLast ? 11 : PLAIN.size };
      room(SUM_LINE + 6);
      if (isLast) {
        doc.moveTo(BOX.left, y).lineTo(BOX.right, y).lineWidth(1).strokeColor(LIGHT.ink2).stroke();
        y += 6;
      }
      const amountWidth = text.width(value, style);
      text.write(text.fitted(label, WIDTH - amountWidth - 20, style), BOX.left, y, style);
      text.write(value, BOX.right, y, { ...style, align: "right" });
      y += SUM_LINE;
    }

    y += 12;
    for (const note of notes) {
      paragraph(note, BOX.left, WIDTH, QUIET);
      y += 5;
    }

    const { start, count } = doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      doc.switchToPage(start + page);
      const number = `Page ${page + 1} of ${count}`;
      text.write(number, BOX.right, PAGE.height - MARGIN, { ...QUIET, align: "right" });
      const free = WIDTH - text.width(number, QUIET) - 20;
      text.write(text.fitted(title, free, QUIET), BOX.left, PAGE.height - MARGIN, QUIET);
    }
  });
}
