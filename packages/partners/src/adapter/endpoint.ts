// A publisher's key may name a host or an id, but nothing that changes the address, such as `..` in a path.
const SAFE = /^(?!\.+$)[a-zA-Z0-9._-]+(:[0-9]+)?$/;

const ADDRESS = /^https?:\/\/[^\s/]+/;

/** The parts of an address that keys and platform ids give. */
export interface AddressParts {
  /** Values of the endpoint's `{{Name}}` parts. Empty text leaves a part out; a missing value is no address. */
  macros?: Readonly<Record<string, unknown>>;
  /** Segments added to the path, percent-encoded. A value may have several, as `a/b`; undefined ones are left out. */
  path?: readonly (string | number | undefined)[];
  /** Parameters added to the query, percent-encoded; undefined ones are left out. */
  query?: Readonly<Record<string, string | number | undefined>>;
}

/**
 * Makes a call's address from an endpoint. Undefined if a part has no value or an unsafe one, or if the result is not an
 * http(s) address.
 */
export function fillEndpoint(
  endpoint: string,
  { macros = {}, path = [], query = {} }: AddressParts,
): string | undefined {
  let whole = true;
  const safe = (value: unknown): string => {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && (text === "" || SAFE.test(text))) return text;
    whole = false;
    return "";
  };
  const segment = (text: string): string => {
    // Dots would lead up the path, and half a character has no encoding.
    if (/^\.+$|\p{Surrogate}/u.test(text)) whole = false;
    return whole ? encodeURIComponent(text) : "";
  };
  let url = endpoint.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    safe(Object.hasOwn(macros, name) ? macros[name] : undefined),
  );
  const segments = path
    .flatMap((part) => (part === undefined ? [] : String(part).split("/")))
    .filter((part) => part !== "");
  if (segments.length > 0) {
    const [base = "", search] = url.split("?", 2);
    url = [base.replace(/\/$/, ""), ...segments.map(segment)].join("/") + (search === undefined ? "" : `?${search}`);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    // Half a character has no encoding.
    if (/\p{Surrogate}/u.test(String(value))) return undefined;
    url += `${url.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
  }
  return whole && ADDRESS.test(url) ? url : undefined;
}
