import type { ReactNode } from "react";
import { Landform } from "#site/shell/generated-artwork.tsx";
import { formatTime } from "#site/ui/format.ts";
import type { Embed, EmbedTrack } from "#worker/embeds/queries.ts";
import { directionOf } from "#worker/platform/text/direction.ts";
import { Cover } from "./cover.tsx";
import { BackIcon, ForwardIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from "./icons.tsx";

type Frame = { language: string; title: string; style: string; children: ReactNode };

const Document = ({ language, title, style, children }: Frame) => (
  <html lang={language} dir={directionOf(language)}>
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: style }} />
    </head>
    <body>{children}</body>
  </html>
);

type EmbedProps = {
  embed: Embed;
  /** Seconds at which the first track begins. */
  startAt: number;
  style: string;
  script: string;
};

/** The player of an episode or playlist: the browser's own controls, which `inline/embed.ts` replaces. */
export const EmbedDocument = ({ embed, startAt, style, script }: EmbedProps) => (
  <Document language={embed.site.language} title={`${embed.title} | ${embed.show}`} style={style}>
    <main>
      {hasCopies(embed) ? (
        <Cover picture={embed.picture!} />
      ) : (
        <Landform seed={embed.seed} figure={embed.figure} className="cover" />
      )}
      <div className="words">
        <p className="show">{embed.isPlaylist ? `${embed.show} · Playlist` : embed.show}</p>
        <h1>
          <Out href={embed.href}>{embed.title}</Out>
        </h1>
        {embed.isPlaylist && <Tracks embed={embed} />}
      </div>
      {embed.tracks[0] ? (
        <Player embed={embed} track={embed.tracks[0]} startAt={startAt} />
      ) : (
        <Silent embed={embed} />
      )}
    </main>
    {embed.tracks.length > 0 && <script dangerouslySetInnerHTML={{ __html: script }} />}
  </Document>
);

/** Without copies the picture is omitted: the original may have megabytes. */
const hasCopies = ({ picture }: Embed) => (picture?.srcset ?? "") !== "";

const Out = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

const Silent = ({ embed: { isPlaylist, href } }: { embed: Embed }) => (
  <p className="player">
    <span>
      <span>{isPlaylist ? "No episode to play yet. " : "No audio yet. "}</span>
      <Out href={href}>{isPlaylist ? "Open the playlist" : "Open the episode"}</Out>
    </span>
  </p>
);

/** Without scripts, a list of links. */
const Tracks = ({ embed: { tracks, left, href } }: { embed: Embed }) => (
  <>
    <select id="tracks" aria-label="Episode" hidden>
      {tracks.map(({ title, audioUrl, seconds }, index) => (
        <option key={index} value={audioUrl} data-seconds={seconds}>
          {`${index + 1}. ${title}`}
        </option>
      ))}
    </select>
    {left > 0 && (
      <p className="left">
        <Out href={href}>{`${left} more in the full playlist`}</Out>
      </p>
    )}
  </>
);

type PlayerProps = { embed: Embed; track: EmbedTrack; startAt: number };

function Player({ embed: { title, show, isPlaylist }, track, startAt }: PlayerProps) {
  return (
    <div className="player">
      <audio
        controls
        preload="none"
        src={startAt > 0 ? `${track.audioUrl}#t=${startAt}` : track.audioUrl}
        aria-label={`Audio of ${track.title}`}
        data-title={track.title}
        data-show={show}
        data-seconds={track.seconds}
        data-start={startAt > 0 ? startAt : undefined}
      />
      <div id="deck" role="group" aria-label={`Player of ${title}`} hidden>
        {isPlaylist && (
          <button type="button" id="previous" aria-label="Previous episode">
            <PreviousIcon />
          </button>
        )}
        <button type="button" id="play" aria-label="Play">
          <PlayIcon />
          <PauseIcon />
        </button>
        {isPlaylist && (
          <button type="button" id="next" aria-label="Next episode">
            <NextIcon />
          </button>
        )}
        <button type="button" id="back" className="skip" aria-label="Back 15 seconds">
          <BackIcon />
        </button>
        <button type="button" id="forward" className="skip" aria-label="Forward 30 seconds">
          <ForwardIcon />
        </button>
        <div className="seek">
          <input
            id="seek"
            type="range"
            min={0}
            max={track.seconds}
            step={1}
            defaultValue={0}
            aria-label="Seek"
          />
          <p>
            <span id="elapsed">0:00</span>
            <span id="status" role="status" />
            <span id="total">{formatTime(track.seconds)}</span>
          </p>
        </div>
      </div>
    </div>
  );
}

/** Shown if the content was withdrawn after it was embedded. */
export const MissingEmbed = ({ style }: { style: string }) => (
  <Document language="en" title="No longer available" style={style}>
    <main className="missing">
      <div className="words">
        <h1>This is no longer available</h1>
        <p>
          <Out href="/podcast">All episodes</Out>
        </p>
      </div>
    </main>
  </Document>
);
