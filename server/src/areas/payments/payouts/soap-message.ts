import { SaxesParser } from "saxes";

/** An element to be written. */
export type Field = readonly [name: string, content: string | readonly Field[]];

/** An element that was read, by its local name; `text` is trimmed. */
export interface Element {
  name: string;
  text: string;
  children: Element[];
}

const NAMESPACE = "http://Tipalti.org/";
const ENVELOPE = "http://www.w3.org/2003/05/soap-envelope";
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A SOAP 1.2 message that calls a function with its parameters. */
export function writeCall(name: string, parameters: readonly Field[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<soap12:Envelope xmlns:soap12="${ENVELOPE}"><soap12:Body><${name} xmlns="${NAMESPACE}">${parameters.map(fieldXml).join("")}</${name}></soap12:Body></soap12:Envelope>`;
}

function fieldXml([name, content]: Field): string {
  const inside =
    typeof content === "string"
      ? content.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? "")
      : content.map(fieldXml).join("");
  return `<${name}>${inside}</${name}>`;
}

/** The function's result. Throws if the message is anything but the reply to it. */
export function readResult(name: string, xml: string): Element {
  const envelope = readXml(xml);
  let element = envelope;
  for (const part of ["Body", `${name}Response`, `${name}Result`]) element = only(element, part);
  if (envelope.name !== "Envelope") throw new Error("The reply is no SOAP message");
  return element;
}

/** The one child of this name. */
function only({ children }: Element, name: string): Element {
  const [first, ...others] = children.filter((child) => child.name === name);
  if (!first || others.length > 0) throw new Error(`The reply has not one ${name}`);
  return first;
}

/** The text of the child with this name; empty without one. */
export const textOf = ({ children }: Element, name: string): string =>
  children.find((child) => child.name === name)?.text ?? "";

/** The children of the child with this name. */
export const listOf = ({ children }: Element, name: string): Element[] =>
  children.find((child) => child.name === name)?.children ?? [];

const MAX_DEPTH = 16;

/** A well-formed document without a document type, and so without entities of its own. Throws on any other. */
function readXml(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: "", text: "", children: [] };
  const open = [root];
  const write = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on("doctype", () => {
    throw new Error("The reply has a document type");
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ local }) => {
    if (open.length > MAX_DEPTH) throw new Error("The reply is nested too deeply");
    const element: Element = { name: local, text: "", children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", write);
  parser.on("cdata", write);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed) closed.text = closed.text.trim();
  });
  parser.write(xml).close();
  return root.children[0] ?? root;
}
