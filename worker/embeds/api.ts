import { readOembed } from "#worker/embeds/oembed.ts";
import { answerDocument } from "#worker/platform/http/documents.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";
import { buildXml } from "#worker/platform/http/xml.ts";
import type { Oembed, OembedQuery } from "#worker/embeds/contract.ts";

/** `/oembed`, at the root of the site. */
export const oembed = router().get("/oembed", async (c) => {
  const format = c.req.query("format") ?? "json";
  const asked = ["url", "maxwidth", "maxheight"].map((name) => [name, c.req.query(name)]);
  if (!isFormat(format)) throw new AppError("not_implemented", "The format is json or xml.");
  const { type, write } = formats[format];
  const found = await readOembed(c.var.ctx, Object.fromEntries(asked) as OembedQuery);
  return answerDocument(c, type, write(found));
});

const formats = {
  json: { type: "application/json", write: (found: Oembed) => JSON.stringify(found) },
  xml: {
    type: "text/xml; charset=utf-8",
    write: (found: Oembed) =>
      buildXml({ "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" }, oembed: found }),
  },
};

const isFormat = (format: string): format is keyof typeof formats => Object.hasOwn(formats, format);
