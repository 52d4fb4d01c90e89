import {
  readLlmsText,
  readManifest,
  readSecurityText,
  robotsOf,
  SECURITY_TEXT,
} from "#worker/discovery/documents.ts";
import { readSitemap } from "#worker/discovery/sitemap.ts";
import { answerDocument } from "#worker/platform/http/documents.ts";
import { router } from "#worker/platform/http/router.ts";

/** Documents for crawlers, assistants and browsers at the root of the site. */
export const discoveryDocuments = router()
  .get("/sitemap.xml", async (c) =>
    answerDocument(c, "application/xml; charset=utf-8", await readSitemap(c.var.ctx)),
  )
  .get("/robots.txt", (c) => answerDocument(c, "text/plain; charset=utf-8", robotsOf(c.var.ctx)))
  .get("/llms.txt", async (c) =>
    answerDocument(c, "text/plain; charset=utf-8", await readLlmsText(c.var.ctx)),
  )
  .get(SECURITY_TEXT, async (c) =>
    answerDocument(c, "text/plain; charset=utf-8", await readSecurityText(c.var.ctx)),
  )
  .get("/manifest.webmanifest", async (c) =>
    answerDocument(c, "application/manifest+json", JSON.stringify(await readManifest(c.var.ctx))),
  );
