import { html, raw } from "hono/html";
import type { openApiDocument } from "#worker/openapi/document.ts";

type Document = ReturnType<typeof openApiDocument>;
type Schema = {
  type?: string;
  $ref?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  maxLength?: number;
};
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: { token?: readonly string[] }[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

/** Descriptions are CommonMark, of which they use code alone. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

/** The colours are those of the site. */
export const STYLE = `
:root { color-scheme: light dark;
  --paper: light-dark(#faf7f0, #14171a); --ink: light-dark(#1c1a16, #ece7dc); --muted: light-dark(#645e51, #a8a294);
  --rule: light-dark(#ddd6c8, #30363b); --tint: light-dark(#f0ebdf, #22272b); --accent: light-dark(#1f5a4c, #7fbfa9); }
* { box-sizing: border-box; margin: 0; }
body { background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; padding: 2rem 1rem 6rem; }
main, header { max-width: 52rem; margin: 0 auto; }
h1, h2 { font-family: Newsreader, Georgia, serif; font-weight: 500; line-height: 1.2; }
h1 { font-size: 2.25rem; } h2 { font-size: 1.5rem; margin: 3rem 0 .5rem; }
p { margin: .5rem 0; } .muted { color: var(--muted); }
a { color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
pre { background: var(--tint); padding: 1rem; margin: 1rem 0; white-space: pre-wrap; }
details { border-top: 1px solid var(--rule); } details:last-child { border-bottom: 1px solid var(--rule); }
summary { cursor: pointer; padding: .75rem 0; display: grid; grid-template-columns: 4.5rem 1fr; gap: .125rem 1rem; }
summary::-webkit-details-marker { display: none; }
summary b { font: 600 .875rem/1.75 ui-monospace, monospace; color: var(--accent); }
summary span { grid-column: 2; } details > div { padding: 0 0 1.5rem; }
h3 { font-size: .875rem; font-weight: 600; margin: 1rem 0 .25rem; }
dl { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .25rem 1rem; }
dt, dd { min-width: 0; overflow-wrap: anywhere; } dd { color: var(--muted); }
@media (min-width: 40rem) { details > div { padding-left: 5.5rem; } }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;

/** The document as a page that needs no script. */
export function page(document: Document) {
  const { info, servers, tags } = document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
  );
  const site = servers[0]!.url;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${info.title}</h1>
          <p>${withCode(info.description)}</p>
          <p>
            A program sends a token, which an admin makes under
            <a href="/admin/settings/programs">Settings → Programs</a>. As an OpenAPI document:
            <a href="/api/openapi.json">openapi.json</a>.
          </p>
          <pre>
curl ${site}/api/admin/articles \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "On heat", "content": "Words."}'</pre>
        </header>
        <main>
          ${tags.map(
            ({ name, description }) => html`
              <section aria-labelledby="${name}">
                <h2 id="${name}">${name}</h2>
                <p class="muted">${description}</p>
                <div>${all.filter(({ operation }) => operation.tags.includes(name)).map(operationOf)}</div>
              </section>
            `,
          )}
        </main>
      </body>
    </html>`;
}

type Listed = { path: string; method: string; operation: Operation };

function operationOf({ path, method, operation }: Listed) {
  const { parameters, requestBody, security, responses } = operation;
  const scopes = security.flatMap(({ token = [] }) => token);
  const [status = "200", { content = {} } = {}] = Object.entries(responses)[0] ?? [];
  const answer = content["application/json"]?.schema;
  return html`<details id="${operation.operationId}">
    <summary><b>${method}</b> <code>${path}</code> <span class="muted">${operation.summary}</span></summary>
    <div>
      ${
        operation.tags.includes("Owner")
          ? html`<p>
              Scopes: ${scopes.map((scope, index) => html`${index > 0 ? " and " : ""}<code>${scope}</code>`)}
            </p>`
          : ""
      }
      ${
        parameters.length > 0
          ? html`<h3>Parameters</h3>
              <dl>
                ${parameters.map(({ name, required, schema, in: place }) =>
                  field(name, `${place}, ${typeOf(schema)}${required ? ", required" : ""}`),
                )}
              </dl>`
          : ""
      }
      ${requestBody ? bodyOf(requestBody.content) : ""}
      <h3>Answer</h3>
      <p class="muted">${status}${answer ? html`: ${typeOf(answer)}` : ""}</p>
    </div>
  </details>`;
}

function bodyOf(content: Record<string, { schema: Schema }>) {
  const [[type = "", { schema = {} } = {}] = []] = Object.entries(content);
  const { properties = {}, required = [] } = schema;
  return html`<h3>Body <code>${type}</code></h3>
    <dl>
      ${Object.entries(properties).map(([name, of]) =>
        field(name, `${typeOf(of)}${required.includes(name) ? ", required" : ""}`),
      )}
    </dl>`;
}

const field = (name: string, words: string) =>
  html`<dt><code>${name}</code></dt>
    <dd>${words}</dd>`;

/** "text of at most 255 characters", "draft or published", "list of number". */
function typeOf({ type, $ref, format, enum: values, const: only, anyOf, items, maxLength }: Schema): string {
  if ($ref) return $ref.split("/").at(-1)!;
  if (values) return values.map(String).join(" or ");
  if (only !== undefined) return only === "" ? "empty" : String(only);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  if (type === "string") {
    const bounded = maxLength === undefined ? "" : ` of at most ${maxLength.toLocaleString("en")} characters`;
    return `${format ?? "text"}${bounded}`;
  }
  return type === "boolean" ? "true or false" : (type ?? "any value");
}
