/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/no-unsafe-argument -- the inner parts of the interpreter have no types */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { types } = require("@rokucommunity/brs");
const { FormatJson } = require("@rokucommunity/brs/lib/stdlib/Json.js");
const { BrsString, Callable, RoArray, RoAssociativeArray, RoXMLElement, ValueKind } = types;

/**
 * Corrects the interpreter where it differs from Roku's platform, as far as the SDK needs it: an XML element has a text, and
 * JSON escapes what is in strings.
 */
export function correctPlatform() {
  types.extendBrsObjects([["roXMLElement", () => new XmlElement()]]);
  FormatJson.signatures[0].impl = (_interpreter, value) => new BrsString(jsonOf(value));
}

class XmlElement extends RoXMLElement {
  constructor(xmlNode) {
    super();
    this.xmlNode = xmlNode;
    const text = () => new BrsString(this.xmlNode?.val.trim() ?? "");
    this.getText = new Callable("getText", { signature: { args: [], returns: ValueKind.String }, impl: text });
    const { signature } = this.getNamedElementsCi.signatures[0];
    const named = (_interpreter, name) =>
      new RoArray(
        (this.xmlNode?.children ?? [])
          .filter(({ type, name: own }) => type === "element" && own.toLowerCase() === name.value.toLowerCase())
          .map((child) => new XmlElement(child)),
      );
    this.getNamedElementsCi = new Callable("getNamedElementsCi", { signature, impl: named });
    this.appendMethods([this.getText, this.getNamedElementsCi]);
  }
}

function jsonOf(value) {
  if (value instanceof RoArray) return `[${value.getElements().map(jsonOf).join(",")}]`;
  if (value instanceof RoAssociativeArray) {
    const members = value.getElements().map((name) => `${JSON.stringify(name.value)}:${jsonOf(value.get(name))}`);
    return `{${members.join(",")}}`;
  }
  if (value.kind === ValueKind.Object && typeof value.unbox === "function") return jsonOf(value.unbox());
  if (value.kind === ValueKind.Invalid) return "null";
  return value.kind === ValueKind.String ? JSON.stringify(value.value) : value.toString();
}
