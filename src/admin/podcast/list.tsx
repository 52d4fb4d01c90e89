import { useState } from "react";
import { useSubmit } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { load } from "#site/admin/load.server.ts";
import { pageTitle } from "#site/admin/page-title.ts";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { formatDateTime, formatDuration, formatShortDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { EpisodeRow } from "#worker/episodes/contract.ts";
import { listEpisodes } from "#worker/episodes/owner-queries.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { act } from "../form/submit.ts";
import { statusNames, statusTones } from "../publishing.ts";
import { RowActions } from "../row-actions.tsx";
import type { Route } from "./+types/list";

export const meta = pageTitle("Podcast");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [list, show] = await Promise.all([load(listEpisodes(ctx, { before })), readShowForEdit(ctx)]);
  return { ...list, hasShow: show !== null };
}

/** Deletes one episode. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const remove = async () => {
    await ensureOk(api.episodes[":id"].$delete({ param: { id: String(form.get("id")) } }));
    return "Episode deleted successfully!";
  };
  return act(form, remove, { toast: (message) => `Error deleting episode: ${message}` });
}

export default function EpisodeList({ loaderData }: Route.ComponentProps) {
  const { items: episodes, next, hasShow } = loaderData;
  const [toDelete, setToDelete] = useState<EpisodeRow | null>(null);
  const submit = useSubmit();
  const remove = () => {
    if (!toDelete) return;
    void submit({ intent: "delete", id: toDelete.id }, { method: "post" });
    setToDelete(null);
  };
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Podcast Episodes</h1>
        <ButtonLink to="/admin/podcast/new" tone="primary">
          New episode
        </ButtonLink>
      </header>
      {!hasShow && (
        <p className="mb-6 border-l-2 border-signal pl-4">
          The podcast has no title and artwork yet, so there is no feed.{" "}
          <Link to="/admin/podcast/show" className="text-accent underline underline-offset-4">
            Describe the podcast
          </Link>
        </p>
      )}
      {episodes.length === 0 ? (
        <EmptyState title="No episodes yet">Create the first one: a title is enough to begin.</EmptyState>
      ) : (
        <EpisodeTable episodes={episodes} onDelete={setToDelete} />
      )}
      {next && (
        <p className="mt-6">
          <ButtonLink to={`?before=${next}`}>Older episodes</ButtonLink>
        </p>
      )}
      <ConfirmDialog
        open={toDelete !== null}
        onOpenChange={(open) => !open && setToDelete(null)}
        title="Are you sure you want to delete this episode?"
        confirm="Delete episode"
        onConfirm={remove}
      >
        <p>
          “{toDelete?.title}” disappears from the site and the feed for good. To take it down for a while,
          archive it instead.
        </p>
      </ConfirmDialog>
    </>
  );
}

type TableProps = { episodes: EpisodeRow[]; onDelete: (episode: EpisodeRow) => void };

function EpisodeTable({ episodes, onDelete }: TableProps) {
  return (
    <table className="w-full border-t border-rule text-left text-sm tabular-nums">
      <thead className="sr-only sm:not-sr-only">
        <tr className="text-muted *:py-2 *:pr-4 *:font-normal">
          <th scope="col" className="w-20">
            Number
          </th>
          <th scope="col">Title</th>
          <th scope="col">Status</th>
          <th scope="col">Date</th>
          <th scope="col" className="text-right">
            Length
          </th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {episodes.map((episode) => (
          <tr
            key={episode.id}
            className="grid grid-cols-[auto_1fr_auto] gap-x-3 border-t border-rule py-3 sm:table-row sm:py-0 sm:*:py-3 sm:*:pr-4 sm:*:last:pr-0"
          >
            <td className="text-muted">{numbersOf(episode)}</td>
            <td className="col-span-2 font-medium wrap-anywhere">
              <Link
                to={`/admin/podcast/${episode.id}`}
                className="inline-block py-1 underline-offset-4 hover:underline"
              >
                {episode.title}
              </Link>
            </td>
            <td>
              <Badge tone={statusTones[episode.status]}>{statusNames[episode.status]}</Badge>
            </td>
            <td className="whitespace-nowrap text-muted">
              <EpisodeDate {...episode} />
            </td>
            <td className="text-right whitespace-nowrap text-muted">
              {episode.hasAudio ? formatDuration(episode.durationSeconds) : "No audio"}
            </td>
            <td className="col-span-3 mt-2 text-right whitespace-nowrap sm:mt-0">
              <RowActions
                to={`/admin/podcast/${episode.id}`}
                name={episode.title}
                onDelete={() => onDelete(episode)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "S2 E5", of which either may be missing. */
const numbersOf = ({ seasonNumber, episodeNumber }: EpisodeRow) =>
  [seasonNumber && `S${seasonNumber}`, episodeNumber && `E${episodeNumber}`].filter(Boolean).join(" ");

function EpisodeDate({ status, publishedAt, scheduledFor }: EpisodeRow) {
  if (status === "scheduled" && scheduledFor !== null)
    return <DateTime at={scheduledFor} format={formatDateTime} />;
  return publishedAt === null ? "Not published" : <DateTime at={publishedAt} format={formatShortDate} />;
}
