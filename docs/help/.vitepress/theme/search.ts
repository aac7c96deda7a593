import localSearchIndex from "@localSearchIndex";
import MiniSearch from "minisearch";

/** A section of a page. */
export interface Found {
  /** The address, with the section's anchor. */
  id: string;
  title: string;
  /** The titles of the page and sections around it, outermost first. */
  titles: string[];
}

const MOST_RESULTS = 12;

/** Loads the index, which is a file of its own, and returns the search, which needs no server. */
export async function loadSearch(): Promise<(text: string) => Found[]> {
  const { default: json } = (await localSearchIndex["root"]?.()) ?? { default: "" };
  const index = MiniSearch.loadJSON<Found>(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: {
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boost: { title: 4, text: 2, titles: 1 },
      // A call's name has the words of what it is about, and explains none of them.
      boostDocument: (id: string) => (id.includes("/api/") ? 0.3 : 1),
    },
  });
  return (text) => (index.search(text) as unknown as Found[]).slice(0, MOST_RESULTS);
}
