import { useState } from "react";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { isDataRequest } from "#site/document/data-request.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { readGuest } from "#worker/enquiries/owner/queries.ts";
import type { EpisodeInput, NewEpisode } from "#worker/episodes/contract.ts";
import {
  readEpisodeDefaults,
  readEpisodeForEdit,
  episodePreviewLink,
} from "#worker/episodes/owner-queries.ts";
import { isAllowed } from "#worker/access/capabilities.ts";
import { findLetterOf } from "#worker/letters/queries.ts";
import { readPublication } from "#worker/publications/queries.ts";
import { DuplicateButton } from "../publishing/duplicate-button.tsx";
import { useFormName } from "../form/name.ts";
import { basedOnOf, saved } from "../form/submit.ts";
import { FormHeading } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { NEW } from "../form/new-item.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PreviewLinkButton } from "../publishing/preview-link.tsx";
import { followUp } from "../publishing/publications/awaited-publication.ts";
import { LetterButtonInHead } from "../publishing/publications/letter-button.tsx";
import { PublicationPanel } from "../publishing/publications/panel.tsx";
import { statusNames } from "../publishing/statuses.ts";
import { withDecision } from "../publishing/publish/decision.ts";
import { savedWords } from "../form/saved-words.ts";
import { EpisodeForm } from "./episode-form.tsx";
import { saveEpisode } from "./save.ts";
import { withoutTranscript } from "./sent-transcript.ts";
import type { Route } from "./+types/episode";

const UNTITLED = "New episode";

export const meta = ({ loaderData }: Route.MetaArgs) => pageTitle(loaderData?.values.title || UNTITLED)();

export async function loader({ context, request, url, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) {
    const [episode, previewLink, publication, letter] = await load(
      Promise.all([
        readEpisodeForEdit(ctx, Number(id)),
        episodePreviewLink.read(ctx, Number(id)),
        readPublication(ctx, "episode", Number(id)),
        findLetterOf(ctx, { kind: "episode", id: Number(id) }),
      ]),
    );
    const values = isDataRequest(request) ? episode.values : withoutTranscript(episode.values);
    return { episode: { ...episode, values }, values, previewLink, publication, letter };
  }
  const guestOf = url.searchParams.get("guest");
  const [defaults, guest] = await load(
    Promise.all([readEpisodeDefaults(ctx), guestOf === null ? null : readGuest(ctx, Number(guestOf))]),
  );
  const people = [...(defaults.people ?? []), ...(guest ? [guest] : [])];
  const values: EpisodeInput = { title: "", ...defaults, people };
  const letter = isAllowed("audience", ctx) ? null : undefined;
  return { episode: null, values, previewLink: null, publication: null, letter };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = withDecision(await request.formData());
  const create = async (json: NewEpisode) => {
    const created = await readJson(api.episodes.$post({ json }));
    await followUp(form, "episode", created);
    return saved(form, savedWords("Episode", form, created.values), {
      address: `/admin/podcast/${created.id}`,
    });
  };
  if (id === NEW) return saveEpisode(form, create);
  const update = async (episode: NewEpisode) => {
    const json = { ...episode, basedOn: basedOnOf(form) };
    const updated = await readJson(api.episodes[":id"].$patch({ param: { id }, json }));
    await followUp(form, "episode", updated);
    return saved(form, savedWords("Episode", form, updated.values), { updatedAt: updated.updatedAt });
  };
  return saveEpisode(form, update, Number(id));
}

export default function EpisodePage(page: Route.ComponentProps) {
  const name = useFormName();
  return <Editor key={name} name={name} {...page} />;
}

function Editor({ name, loaderData, actionData, params: { id } }: Route.ComponentProps & { name: string }) {
  const { episode, values, previewLink, publication, letter } = loaderData;
  const [title, setTitle] = useState(values.title);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <FormHeading title={title} untitled={UNTITLED} state={statusNames[values.status]} />
        {episode && (
          <div className="flex flex-wrap gap-3">
            {values.status !== "published" && (
              <PreviewLinkButton key={id} link={previewLink} {...previewLinkOf(String(episode.id))} />
            )}
            {values.status === "published" && letter !== undefined && (
              <LetterButtonInHead
                key={id}
                item={{ kind: "episode", id: String(episode.id) }}
                letter={letter}
              />
            )}
            {values.status === "published" && (
              <ButtonLink to={`/admin/analytics/episodes/${episode.id}`} size="sm">
                Analytics
              </ButtonLink>
            )}
            <DuplicateButton kind="episode" id={episode.id} />
            {episode.audio && (
              <ButtonLink to={`/admin/podcast/${episode.id}/clip`} size="sm">
                Make a clip
              </ButtonLink>
            )}
            <ButtonLink to={`/admin/podcast/${episode.id}/versions`} size="sm">
              Versions
            </ButtonLink>
          </div>
        )}
      </header>
      {publication && values.status === "published" && (
        <PublicationPanel
          key={`${id} ${publication.wentOutAt}`}
          publication={publication}
          letter={letter}
          kind="episode"
          id={id}
        />
      )}
      <EpisodeForm
        name={name}
        episode={episode}
        values={values}
        mayMail={letter === null && values.status !== "published"}
        onTitle={setTitle}
        refusal={actionData && "problems" in actionData ? actionData : undefined}
      />
    </>
  );
}

const previewLinkOf = (id: string) => {
  const link = api.episodes[":id"]["preview-link"];
  return {
    create: () => readJson(link.$post({ param: { id } })),
    withdraw: () => ensureOk(link.$delete({ param: { id } })),
  };
};
