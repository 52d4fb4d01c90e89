import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import type { Route } from "./+types/clip";
import { ClipMaker } from "./clips/clip-maker.tsx";
import { readCues } from "./transcript-cues.ts";

export const meta = pageTitle("Clip of an episode");

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [episode, edited] = await load(
    Promise.all([readEpisodeForEdit(ctx, Number(id)), readShowForEdit(ctx)]),
  );
  const { audio, image, values } = episode;
  return {
    id: episode.id,
    title: values.title,
    transcript: values.transcript,
    audio,
    cover: (image ?? edited?.artwork)?.url ?? null,
    show: edited?.show.title ?? "",
  };
}

export default function ClipPage({ loaderData, params: { id } }: Route.ComponentProps) {
  const { audio, transcript, title, show, cover } = loaderData;
  const cues = readCues(transcript);
  const back = `/admin/podcast/${id}`;
  return (
    <div className="grid gap-6">
      <header className="grid gap-1">
        <p>
          <Link to={back} className="link inline-block py-1 text-sm">
            {title}
          </Link>
        </p>
        <h1 className="text-xl font-semibold">Make a clip</h1>
        <p className="max-w-2xl text-sm text-muted">
          A short video of a passage, with its sound, a waveform and the words as they are spoken. It is made
          in this browser.
        </p>
      </header>
      {!audio ? (
        <EmptyState
          title="This episode has no audio"
          action={<ButtonLink to={back}>Open the episode</ButtonLink>}
        >
          Upload its recording first.
        </EmptyState>
      ) : !cues ? (
        <EmptyState
          title="This episode’s transcript has no times"
          action={<ButtonLink to={back}>Open the episode</ButtonLink>}
        >
          A clip is chosen by the lines of a transcript with times. Add one as WebVTT or SRT.
        </EmptyState>
      ) : (
        <ClipMaker key={id} episodeId={loaderData.id} {...{ title, show, cover, cues, audio }} />
      )}
    </div>
  );
}
