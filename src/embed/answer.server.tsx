import script from "inline:embed";
import type { ReactElement } from "react";
import { renderToReadableStream } from "react-dom/server";
import type { Embed } from "#worker/embeds/queries.ts";
import { startWithin } from "#worker/episodes/start-at.ts";
import { AppError } from "#worker/platform/errors.ts";
import { allowFraming } from "#worker/platform/http/security.ts";
import style from "./embed.css?inline";
import { EmbedDocument, MissingEmbed } from "./document.tsx";

/** A page for an iframe on another site: one HTML response with its style and script, without React. */
export async function answerEmbed(reading: Promise<Embed>, start: string | null = null) {
  try {
    const embed = await reading;
    const seconds = embed.tracks[0]?.seconds ?? 0;
    const startAt = startWithin(seconds, start);
    return await respond(200, <EmbedDocument {...{ embed, startAt, style, script }} />);
  } catch (error) {
    // The other site still shows the iframe: explain what happened.
    if (error instanceof AppError && error.code === "not_found") {
      return respond(404, <MissingEmbed style={style} />);
    }
    throw error;
  }
}

async function respond(status: number, document: ReactElement) {
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8" });
  if (status === 200) headers.set("Cache-Control", "public, no-cache");
  await allowFraming(headers, { style, script });
  const stream = await renderToReadableStream(document);
  return new Response(await new Response(stream).text(), { status, headers });
}
