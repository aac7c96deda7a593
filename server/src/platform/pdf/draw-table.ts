import { setImmediate as nextTurn } from "node:timers/promises";
import { LIGHT } from "../brand.ts";
import type { PdfText } from "./pdf-text.ts";

/** A table of text: the first column has names, the others right-aligned numbers. */
export interface PdfTable {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** The last row, set apart. */
  total?: readonly string[];
  /** The largest share of the width that names take. */
  mostName?: number;
}

interface Place {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  /** The top of the table on the current page. */
  top: number;
  /** The horizontal and vertical limits on every page. */
  box: { left: number; right: number; top: number; bottom: number };
}

const ROW_HEIGHT = 15;
const HEAD_HEIGHT = 18;
const PADDING = 5;
const LARGEST_SIZE = 8;
const NARROWEST_NAME = 110;
const MOST_NAME = 1 / 3;
const LINE_COLOR = LIGHT.line;
const STRIPE_COLOR = LIGHT.page;

/** The number of pages of a table, whose first page may have less room than the others, and where it ends on the last. */
export function extentOf(
  { rows, total }: PdfTable,
  { top, box }: Pick<Place, "top" | "box">,
): { pages: number; bottom: number } {
  const lines = rows.length + (total ? 1 : 0);
  const rest = lines - capacity(top, box.bottom);
  if (rest <= 0) return { pages: 1, bottom: top + HEAD_HEIGHT + lines * ROW_HEIGHT };
  const most = capacity(box.top, box.bottom);
  const others = Math.ceil(rest / most);
  const onLast = rest - (others - 1) * most;
  return { pages: 1 + others, bottom: box.top + HEAD_HEIGHT + onLast * ROW_HEIGHT };
}

/** Draws the table over as many pages as it needs, with the head on each. Yields to other work after each page. */
export async function drawTable({ doc, text, top, box }: Place, table: PdfTable): Promise<void> {
  const { heads, rows, total } = table;
  const { size, rights, nameWidth } = layOut(text, box, table);
  let y = top;
  const writeRow = (cells: readonly string[], bold: boolean, color?: string) => {
    const style = { size, bold, ...(color === undefined ? {} : { color }) };
    const middle = y + (ROW_HEIGHT - size) / 2;
    text.write(text.fitted(cells[0] ?? "", nameWidth - 2 * PADDING, style), box.left + PADDING, middle, style);
    for (const [index, right] of rights.entries())
      text.write(cells[index + 1] ?? "", right - PADDING, middle, { ...style, align: "right" });
  };
  const line = (width: number) =>
    doc.moveTo(box.left, y).lineTo(box.right, y).lineWidth(width).strokeColor(LINE_COLOR).stroke();
  const writeHead = () => {
    writeRow(heads, true, LIGHT.ink2);
    y += HEAD_HEIGHT;
    line(1);
  };
  const room = async () => {
    if (y + ROW_HEIGHT <= box.bottom) return;
    await nextTurn();
    doc.addPage();
    y = box.top;
    writeHead();
  };

  writeHead();
  for (const [index, row] of rows.entries()) {
    await room();
    if (index % 2 === 1) doc.rect(box.left, y, box.right - box.left, ROW_HEIGHT).fill(STRIPE_COLOR);
    writeRow(row, false);
    y += ROW_HEIGHT;
  }
  if (!total) return;
  await room();
  line(1);
  writeRow(total, true);
}

const capacity = (top: number, bottom: number) => Math.max(0, Math.floor((bottom - top - HEAD_HEIGHT) / ROW_HEIGHT));

/**
 * Each number column is as wide as its longest cell and the name column gets the rest; the font shrinks if that is too
 * little.
 */
function layOut(text: PdfText, box: Place["box"], { heads, rows, total, mostName = MOST_NAME }: PdfTable) {
  const all = [heads, ...(total ? [total] : []), ...rows];
  const widest = (column: number): number => {
    let longest = "";
    for (const cells of all) if ((cells[column] ?? "").length > longest.length) longest = cells[column] ?? "";
    const style = { size: LARGEST_SIZE, bold: true };
    // All digits have the same width, so the longest number is the widest, give or take a comma.
    return Math.max(text.width(longest, style) + 2, text.width(heads[column] ?? "", style)) + 2 * PADDING;
  };
  const available = box.right - box.left;
  const wanted = heads.slice(1).map((_, index) => widest(index + 1));
  const sum = wanted.reduce((before, width) => before + width, 0);
  const scale = Math.min(1, (available - NARROWEST_NAME) / sum);
  const numbers = wanted.map((width) => width * scale);
  const free = available - sum * scale;
  const nameWidth = Math.max(NARROWEST_NAME, Math.min(widest(0), free, available * mostName));
  const each = numbers.length === 0 ? 0 : (free - nameWidth) / numbers.length;
  let right = box.left + nameWidth;
  const rights = numbers.map((width) => (right += width + each));
  return { size: LARGEST_SIZE * scale, rights, nameWidth };
}
