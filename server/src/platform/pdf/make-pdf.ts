import { buffer } from "node:stream/consumers";

interface PdfFacts {
  title: string;
  /** The document's author. */
  creator: string;
  madeMs: number;
  /** Landscape unless told otherwise. */
  layout?: "landscape" | "portrait";
  /** Keeps all pages open until the end, for what is written on each of them last. */
  bufferPages?: boolean;
}

/** A document of A4 pages, drawn by `draw`; the first page is open. */
export async function makePdf(
  { title, creator, madeMs, layout = "landscape", bufferPages = false }: PdfFacts,
  draw: (doc: PDFKit.PDFDocument) => Promise<void>,
): Promise<Buffer> {
  // Loaded for the first document: it takes tens of megabytes, which a process without documents does not need.
  const { default: PDFDocument } = await import("pdfkit");
  const doc = new PDFDocument({
    size: "A4",
    layout,
    bufferPages,
    // No automatic flow: text at a page's edge must not open a new page.
    margin: 0,
    lang: "en",
    displayTitle: true,
    pdfVersion: "1.7",
    info: { Title: title, Creator: creator, Producer: creator, CreationDate: new Date(madeMs) },
  });
  const whole = buffer(doc);
  try {
    await draw(doc);
    doc.end();
  } catch (error) {
    doc.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  return whole;
}
