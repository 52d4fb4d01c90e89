import { html } from "hono/html";

type Html = ReturnType<typeof html>;

/** A page without styles and scripts, for when the site's own cannot be rendered. */
export const plainPage = (title: string, content: Html) =>
  html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`;
