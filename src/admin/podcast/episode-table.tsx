import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { formatDuration } from "#site/ui/format.ts";
import { Picture } from "#site/ui/picture.tsx";
import type { EpisodeRow, PublicShow } from "#worker/episodes/contract.ts";
import { DuplicateButton } from "../publishing/duplicate-button.tsx";
import { PublishingDate } from "../publishing/publishing-date.tsx";
import { statusNames, statusTones } from "../publishing/statuses.ts";
import { RowActions } from "../lists/row-actions.tsx";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { typeNames } from "./episode-types.ts";

type Props = {
  episodes: EpisodeRow[];
  /** The podcast's, which apps show for an episode without a picture. */
  artwork: PublicShow["artwork"];
  onDelete: (episode: EpisodeRow) => void;
};

export const EpisodeTable = ({ episodes, artwork, onDelete }: Props) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead
      columns={[{ unseen: "Cover" }, "Number", "Title", "Status", "Date", { figures: "Length" }, ACTIONS]}
      cardsBelow="lg"
    />
    <tbody>
      {episodes.map((episode) => (
        <Row key={episode.id} episode={episode} artwork={artwork} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);

type RowProps = Omit<Props, "episodes"> & { episode: EpisodeRow };

function Row({ episode, artwork, onDelete }: RowProps) {
  const { id, title, status, episodeType } = episode;
  return (
    <tr className="grid grid-cols-[3.5rem_1fr_auto] gap-x-3 gap-y-1 border-t border-rule py-3 lg:table-row lg:py-0 lg:*:py-3 lg:*:pr-4 lg:*:align-middle lg:*:last:pr-0">
      <td className="row-span-3 lg:w-18 lg:min-w-18">
        <Cover picture={episode.picture ?? artwork} />
      </td>
      <td className="order-2 text-muted empty:hidden lg:whitespace-nowrap lg:empty:table-cell">
        {numbersOf(episode)}
      </td>
      <td className="order-1 col-span-2 font-medium wrap-anywhere lg:min-w-40">
        <Link to={`/admin/podcast/${id}`} dir="auto" className="py-1 underline-offset-4 hover:underline">
          {title}
        </Link>
        {episodeType !== "full" && (
          <span className="ml-2 font-normal text-muted">{typeNames[episodeType]}</span>
        )}
      </td>
      <td className="order-3 justify-self-end lg:w-28">
        <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
      </td>
      <td className="order-4 text-muted lg:max-w-48 lg:min-w-28">
        <PublishingDate {...episode} />
      </td>
      <td className="order-5 justify-self-end text-right whitespace-nowrap text-muted">
        {episode.hasAudio ? formatDuration(episode.durationSeconds) : "No audio"}
      </td>
      <td className="order-6 col-span-3 text-right whitespace-nowrap">
        <RowActions to={`/admin/podcast/${id}`} name={title} onDelete={() => onDelete(episode)}>
          <DuplicateButton kind="episode" id={id} tone="bare" aria-label={`Duplicate ${title}`} />
        </RowActions>
      </td>
    </tr>
  );
}

/** The title beside it says whose it is. */
const Cover = ({ picture }: { picture: EpisodeRow["picture"] }) =>
  picture ? (
    <Picture picture={{ ...picture, alt: "" }} sizes="3.5rem" className="size-14 bg-tint" />
  ) : (
    <span className="block size-14 bg-tint" />
  );

/** "S2 E5", of which either may be missing. */
const numbersOf = ({ seasonNumber, episodeNumber }: EpisodeRow) =>
  [seasonNumber && `S${seasonNumber}`, episodeNumber && `E${episodeNumber}`].filter(Boolean).join(" ");
