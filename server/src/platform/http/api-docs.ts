import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { Call } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { BRAND_NAME, LIGHT, brandSvg, switchedBrandStyle } from "../brand.ts";
import { openApiOf } from "./openapi.ts";

/** Serves the documentation of every call at `/docs`, and its OpenAPI document at `/docs/json`. */
export async function serveApiDocs(
  app: FastifyInstance,
  calls: Record<string, readonly Call[]>,
  publicUrl: string,
): Promise<void> {
  // The plugin's type knows OpenAPI 3.0 only; it passes the document on as it is.
  const document = openApiOf(calls, publicUrl) as StaticDocumentSpec["document"];
  const mark = brandSvg(28, LIGHT.accentLine);
  await app.register(swagger, { mode: "static", specification: { document } });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    logo: { type: "image/svg+xml", content: Buffer.from(mark), href: "/", target: "_self" },
    theme: {
      title: `API · ${BRAND_NAME}`,
      css: [{ filename: "millrace.css", content: STYLE }],
      favicon: [{ filename: "mark.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: mark }],
    },
    // Areas are folded, so that the page begins with what there is.
    uiConfig: { docExpansion: "none", defaultModelsExpandDepth: -1, filter: true },
  });
}

const FONT = 'Inter, "Helvetica Neue", Arial, sans-serif';

/** The dashboard's colours and type over the reader's own, in both schemes. */
const STYLE = `${switchedBrandStyle("dark-mode")}
body { margin: 0; background: var(--page); color: var(--ink); }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn, .swagger-ui label,
.swagger-ui .opblock .opblock-summary-description, .swagger-ui table thead tr th { font-family: ${FONT}; }
.swagger-ui .topbar { padding: 8px 0; background: var(--panel); border-bottom: 1px solid var(--line); }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui .topbar a { display: flex; align-items: center; gap: 8px; color: var(--ink); font-weight: 650; font-size: 15px; }
.swagger-ui .topbar a::after { content: "${BRAND_NAME}"; }
.swagger-ui .topbar a img { width: 24px; height: 24px; }
.swagger-ui .info { margin: 28px 0 12px; }
.swagger-ui .info .title { font-size: 22px; color: var(--ink); }
.swagger-ui .info a, .swagger-ui a.nostyle:focus-visible { color: var(--accent); }
.swagger-ui .scheme-container { background: var(--panel); border-block: 1px solid var(--line); box-shadow: none; padding: 16px 0; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 15px; }
.swagger-ui .opblock { border-radius: 7px; border-color: var(--line); background: var(--panel); box-shadow: none; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock .opblock-summary-method { border-radius: 6px; background: var(--accent-fill); text-shadow: none; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b4324a; }
.swagger-ui .opblock .opblock-section-header { background: var(--page); box-shadow: none; }
.swagger-ui .btn { box-shadow: none; border-radius: 7px; border-color: var(--line); color: var(--ink); }
.swagger-ui .btn.execute { background: var(--accent-fill); border-color: var(--accent-fill); color: #ffffff; }
.swagger-ui .btn.authorize { border-color: var(--accent-line); color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui input[type=text], .swagger-ui input[type=password], .swagger-ui textarea, .swagger-ui select {
  background: var(--panel); color: var(--ink); border: 1px solid var(--line); border-radius: 7px; box-shadow: none; }
.swagger-ui .dialog-ux .modal-ux { background: var(--panel); border-color: var(--line); }
.swagger-ui, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-path,
.swagger-ui .opblock .opblock-summary-operation-id, .swagger-ui .parameter__name, .swagger-ui .response-col_status,
.swagger-ui table thead tr th, .swagger-ui table thead tr td, .swagger-ui .tab li, .swagger-ui label,
.swagger-ui .opblock .opblock-section-header h4, .swagger-ui .opblock .opblock-section-header > label,
.swagger-ui .dialog-ux .modal-ux-header h3, .swagger-ui .dialog-ux .modal-ux-content h4, .swagger-ui .model-title,
.swagger-ui .model, .swagger-ui .prop-type { color: var(--ink); }
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .opblock-description-wrapper p, .swagger-ui .opblock-tag small, .swagger-ui .parameter__type,
.swagger-ui .response-col_description, .swagger-ui .renderedMarkdown p, .swagger-ui .dialog-ux .modal-ux-content p,
.swagger-ui section.models h4 { color: var(--ink-2); }
.swagger-ui .expand-operation svg, .swagger-ui .opblock-control-arrow svg, .swagger-ui .arrow,
.swagger-ui .dialog-ux .modal-ux-header .close-modal svg { fill: var(--ink-2); }
`;
