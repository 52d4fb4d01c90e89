import { siteContext } from "#site/context.ts";
import { automaticLetterDefaults, type AutomaticLetterInput } from "#worker/automatic-letters/contract.ts";
import { readAutomaticLetterForEdit } from "#worker/automatic-letters/owner-queries.ts";
import { readRecipientCount } from "#worker/letters/queries.ts";
import { readSegmentChoices } from "#worker/letters/segment-choices.ts";
import { readSite } from "#worker/settings/queries.ts";
import { FormHeading } from "../../form/section.tsx";
import { NEW } from "../../form/new-item.ts";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { AutomaticForm } from "./automatic-form.tsx";
import { automaticActions } from "./save.ts";
import type { Route } from "./+types/automatic-letter";

const UNTITLED = "New automatic letter";

const newValues: AutomaticLetterInput = { name: "", ...automaticLetterDefaults };

export const meta = ({ loaderData }: Route.MetaArgs) => pageTitle(loaderData?.values.name || UNTITLED)();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [found, choices, site] = await load(
    Promise.all([
      id === NEW ? null : readAutomaticLetterForEdit(ctx, Number(id)),
      readSegmentChoices(ctx),
      readSite(ctx),
    ]),
  );
  const values = found?.values ?? newValues;
  const recipients = await load(readRecipientCount(ctx, values.segment));
  return {
    values,
    updatedAt: found?.updatedAt,
    choices,
    recipients,
    hasArchive: site.newsletter.archive,
  };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? automaticActions.create(form) : automaticActions.update(form, id);
}

export default function AutomaticLetterPage({ loaderData, params: { id } }: Route.ComponentProps) {
  const { values } = loaderData;
  return (
    <>
      <header className="mb-6">
        <FormHeading title={values.name} untitled={UNTITLED} state={values.isOn ? "On" : "Off"} />
      </header>
      <AutomaticForm key={id} id={id} {...loaderData} />
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch this automatic letter");
