import classes from "./charts.module.css";

export interface TipRow {
  /** A colour of the chart. Earlier periods have a dashed mark. */
  color: string;
  dashed?: boolean;
  name: string;
  value: string;
}

/** Builds a tooltip from nodes: texts are not parsed as HTML, and the page's policy allows no style attributes. */
export function tip(title: string, rows: readonly TipRow[]): HTMLElement {
  const root = element("div", classes.tip, "");
  root.append(element("div", classes.tipTitle, title));
  for (const row of rows) {
    const line = element("div", classes.tipRow, "");
    const mark = element("span", row.dashed === true ? classes.tipDash : classes.tipMark, "");
    mark.style.setProperty("--mark", row.color);
    line.append(mark, element("span", classes.tipName, row.name), element("b", "", row.value));
    root.append(line);
  }
  return root;
}

function element(tag: string, className: string | undefined, text: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  made.textContent = text;
  return made;
}
