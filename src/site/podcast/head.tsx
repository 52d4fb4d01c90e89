import { PlayButton } from "#site/player/play-button.tsx";
import type { Track } from "#site/player/core/playback.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { cx } from "#site/ui/cx.ts";
import { Title } from "#site/ui/title.tsx";
import type { PublicShow } from "#worker/episodes/contract.ts";

type ShowHeadProps = {
  title: string;
  show: PublicShow | null;
  text: string;
  /** The newest episode with audio, and the following ones; empty on a page of older episodes. */
  latest: Track[];
};

/** On a phone the artwork is small, so that the first episode is in reach. */
export const showHeadGrid =
  "grid grid-cols-[6rem_1fr] gap-x-4 gap-y-4 pb-6 sm:grid-cols-[12rem_1fr] sm:grid-rows-[auto_auto_1fr] sm:gap-x-6 " +
  "sm:pb-12 lg:grid-cols-[17.5rem_1fr] lg:gap-x-12";
const acrossOnPhone = "max-sm:col-span-full";
const artworkCell = "sm:row-span-3 sm:row-start-1";

export const ShowHead = ({ title, show, text, latest }: ShowHeadProps) => (
  <header className={showHeadGrid}>
    <div className={acrossOnPhone}>
      <Title text={title} />
    </div>
    <Artwork
      picture={show?.artwork ?? null}
      seed={0}
      sizes="(min-width: 64rem) 17.5rem, (min-width: 40rem) 12rem, 6rem"
      priority
      className={artworkCell}
    />
    <div className="flex flex-wrap content-center items-center gap-x-4 gap-y-2">
      <PlayButton tracks={latest} size="lg">
        Play latest
      </PlayButton>
      {show?.author && <p className="kicker">{`A podcast by ${show.author}`}</p>}
    </div>
    <Description text={text} />
  </header>
);

/** Lines that are shown before a press on More; a text that is two lines longer is shown whole. */
const SHOWN = 4;
/** Characters in a line, on a phone and in a wide window. */
const ON_PHONE = 36;
const IN_WINDOW = 66;

const isLong = (text: string, width: number) =>
  text.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / width)), 0) >
  SHOWN + 2;

/** A long text is clamped by style only: screen readers get all of it. */
function Description({ text }: { text: string }) {
  const isLongInWindow = isLong(text, IN_WINDOW);
  const shown = isLongInWindow ? "line-clamp-4" : isLong(text, ON_PHONE) && "max-sm:line-clamp-4";
  return (
    <div className={cx("group/text max-w-[38rem]", acrossOnPhone)}>
      <p
        className={cx(
          "font-reading text-lg whitespace-pre-line group-has-open/text:line-clamp-none print:line-clamp-none",
          shown,
        )}
      >
        {text}
      </p>
      {shown && (
        <details className={cx("w-fit print:hidden", !isLongInWindow && "sm:hidden")}>
          <summary className="py-1 text-sm font-medium text-accent underline-offset-4 hover:underline">
            More<span className="sr-only"> about the podcast</span>
          </summary>
        </details>
      )}
    </div>
  );
}
