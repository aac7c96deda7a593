import {
  between,
  type Check,
  count,
  extension,
  type Fault,
  flag,
  type JsonObject,
  listOf,
  object,
  string,
  strings,
} from "./check.ts";
import { data } from "./people-shapes.ts";

const publisher = object({ id: string, name: string, cattax: count, cat: strings, domain: string, ext: extension });
const channel = object({ id: string, name: string, domain: string, ext: extension });

const content = object({
  id: string,
  episode: count,
  title: string,
  series: string,
  season: string,
  artist: string,
  genre: string,
  gtax: count,
  genres: listOf(count),
  album: string,
  isrc: string,
  producer: publisher,
  url: string,
  cattax: count,
  cat: strings,
  prodq: count,
  videoquality: count,
  context: count,
  contentrating: string,
  userrating: string,
  qagmediarating: count,
  keywords: string,
  kwarray: strings,
  livestream: flag,
  sourcerelationship: flag,
  len: between(0, Infinity),
  language: string,
  langb: string,
  embeddable: flag,
  data: listOf(data),
  network: channel,
  channel,
  ext: extension,
});

const inventory = {
  id: string,
  name: string,
  domain: string,
  cattax: count,
  cat: strings,
  sectioncat: strings,
  pagecat: strings,
  privacypolicy: flag,
  publisher,
  content,
  keywords: string,
  kwarray: strings,
  inventorypartnerdomain: string,
  ext: extension,
} satisfies Record<string, Check>;

/** Refuses an object without any identifying field. */
const namedBy =
  (...names: string[]) =>
  (value: JsonObject): Fault | null =>
    names.some((name) => value[name] !== undefined && value[name] !== "")
      ? null
      : { path: "", message: `must have at least one of ${names.join(", ")}` };

export const site = object(
  { ...inventory, page: string, ref: string, search: string, mobile: flag },
  { rule: namedBy("id", "page", "domain", "publisher") },
);
export const app = object({ ...inventory, bundle: string, storeurl: string, ver: string, paid: flag });
export const dooh = object(
  {
    id: string,
    name: string,
    venuetype: strings,
    venuetypetax: count,
    publisher,
    domain: string,
    keywords: string,
    content,
    ext: extension,
  },
  { rule: namedBy("id", "venuetype", "domain", "publisher") },
);
