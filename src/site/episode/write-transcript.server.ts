import { formatTime } from "#site/ui/format.ts";
import type { Paragraph } from "#worker/episodes/paragraphs.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";
import type { ShownEpisode } from "./shown-episode.ts";
import { noteWritten } from "./written-transcript.ts";

/**
 * Writes the lines of a transcript for a document, as `Transcript` renders them in a browser: React would take longer for
 * an hour's lines than for all the rest of the page.
 */
export function writeTranscript({ transcript }: ShownEpisode, startAt = 0) {
  const current = startAt > 0 ? transcript.findLastIndex(({ start }) => start <= startAt) : -1;
  noteWritten(transcript, transcript.map((paragraph, at) => lineOf(paragraph, at === current)).join(""));
}

const lineOf = ({ start, speaker, text }: Paragraph, isCurrent: boolean) =>
  `<li${isCurrent ? ' aria-current="time"' : ""} class="-mx-3 grid gap-x-6 px-3 py-1.5 sm:grid-cols-[4rem_1fr] aria-[current]:bg-tint">` +
  `<a href="?t=${Math.floor(start)}" class="figures w-fit self-start text-sm leading-7 text-muted underline-offset-4 hover:text-ink hover:underline">` +
  `<span class="sr-only">Play from </span><span>${formatTime(start)}</span></a>` +
  `<div>${speaker && `<p class="text-sm font-semibold">${escapeHtml(speaker)}</p>`}<p class="reading">${escapeHtml(text)}</p></div></li>`;
