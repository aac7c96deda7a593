import { LIGHT } from "../brand.ts";
import type { PdfText } from "./pdf-text.ts";

export interface PdfChart {
  /** The labels of the points below the chart, in order. */
  points: readonly string[];
  values: readonly number[];
  /** The compared period, point by point; dashed. Empty without one. */
  before: readonly number[];
  names: { values: string; before: string };
  /** Formats a value for the axis. */
  label: (value: number) => string;
  /** The axis ends here if all values are zero. */
  least: number;
}

interface Place {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  x: number;
  y: number;
  width: number;
  height: number;
}

const VALUES_COLOR = LIGHT.accentLine;
const BEFORE_COLOR = LIGHT.ink3;
const GRID_COLOR = LIGHT.line;
const SMALL = { size: 7, color: LIGHT.ink2 };
const LEGEND_HEIGHT = 14;
const LABELS_HEIGHT = 12;
const MOST_LABELS = 8;

/** Draws two series as lines over a grid, the first one filled, as vectors with real text. */
export function drawLineChart({ doc, text, x, y, width, height }: Place, chart: PdfChart): void {
  const { points, values, before, names, label } = chart;
  const heights = ticks(Math.max(chart.least, ...values, ...before));
  const most = heights.at(-1) ?? chart.least;
  const left = x + 6 + Math.max(...heights.map((value) => text.width(label(value), SMALL)));
  const [top, bottom, right] = [y + LEGEND_HEIGHT, y + height - LABELS_HEIGHT, x + width];
  const atX = (index: number) => left + ((right - left) * index) / Math.max(1, points.length - 1);
  const atY = (value: number) => bottom - ((bottom - top) * Math.max(0, value)) / most;

  for (const value of heights) {
    doc.moveTo(left, atY(value)).lineTo(right, atY(value)).lineWidth(0.5).strokeColor(GRID_COLOR).stroke();
    text.write(label(value), left - 6, atY(value) - 4, { ...SMALL, align: "right" });
  }
  const path = (series: readonly number[]) => {
    for (const [index, value] of series.entries()) {
      if (index === 0) doc.moveTo(atX(0), atY(value));
      else doc.lineTo(atX(index), atY(value));
    }
  };
  if (values.length > 0) {
    path(values);
    doc
      .lineTo(atX(values.length - 1), bottom)
      .lineTo(left, bottom)
      .fillOpacity(0.1)
      .fill(VALUES_COLOR);
    doc.fillOpacity(1);
  }
  if (before.length > 0) {
    path(before);
    doc.dash(3, { space: 2 }).lineWidth(1).strokeColor(BEFORE_COLOR).stroke().undash();
  }
  if (values.length > 0) {
    path(values);
    doc.lineWidth(1.4).strokeColor(VALUES_COLOR).stroke();
  }

  const every = Math.max(1, Math.ceil(points.length / MOST_LABELS));
  for (let index = 0; index < points.length; index += every) {
    const name = points[index] ?? "";
    text.write(name, Math.min(atX(index), right - text.width(name, SMALL)), bottom + 4, SMALL);
  }
  drawLegend({ doc, text, x: left, y }, names);
}

function drawLegend({ doc, text, x, y }: Omit<Place, "width" | "height">, names: PdfChart["names"]): void {
  doc
    .moveTo(x, y + 4)
    .lineTo(x + 14, y + 4)
    .lineWidth(1.4)
    .strokeColor(VALUES_COLOR)
    .stroke();
  text.write(names.values, x + 18, y, SMALL);
  if (names.before === "") return;
  const next = x + 18 + text.width(names.values, SMALL) + 16;
  doc
    .moveTo(next, y + 4)
    .lineTo(next + 14, y + 4)
    .lineWidth(1)
    .dash(3, { space: 2 });
  doc.strokeColor(BEFORE_COLOR).stroke().undash();
  text.write(names.before, next + 18, y, SMALL);
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, at most five of them, up to the first at or above the value. */
export function ticks(most: number): number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}
