import { getDocumentProxy } from "unpdf";

/** A PDF's pages as lines of text, from top to bottom; texts on one line are separated by ` | `. */
export async function readPdf(bytes: Uint8Array): Promise<string[][]> {
  const doc = await getDocumentProxy(new Uint8Array(bytes));
  const numbers = Array.from({ length: doc.numPages }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const { items } = await (await doc.getPage(number)).getTextContent();
      const lines = new Map<number, { x: number; text: string }[]>();
      for (const item of items) {
        if (!("str" in item) || item.str.trim() === "") continue;
        const [x, y] = [Number(item.transform[4]), Math.round(Number(item.transform[5]))];
        lines.set(y, [...(lines.get(y) ?? []), { x, text: item.str }]);
      }
      return [...lines]
        .toSorted(([a], [b]) => b - a)
        .map(([, parts]) =>
          parts
            .toSorted((a, b) => a.x - b.x)
            .map(({ text }) => text)
            .join(" | "),
        );
    }),
  );
}
