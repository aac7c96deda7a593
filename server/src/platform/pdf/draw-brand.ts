import { LIGHT, WAVES } from "../brand.ts";

const VIEW = 24;

/** Draws the mark in a square of this size. */
export function drawBrand(doc: PDFKit.PDFDocument, { x, y, size }: { x: number; y: number; size: number }): void {
  doc.save();
  doc.translate(x, y).scale(size / VIEW);
  doc.path(WAVES).lineWidth(2.2).lineCap("round").stroke(LIGHT.accentLine);
  doc.restore();
}
