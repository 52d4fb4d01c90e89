import { siteContext } from "#site/context.ts";
import { readNewTopic, readTopicForEdit } from "#worker/topics/owner-queries.ts";
import { DraftKey, Switch, TextArea, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { NEW } from "../../form/new-item.ts";
import { FormSection } from "../../form/section.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { TOPICS, topicActions } from "./save.ts";
import type { Route } from "./+types/topic";

const titleOf = (id: string) => (id === NEW ? "New topic" : "Edit topic");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) return load(readTopicForEdit(ctx, Number(id)));
  return { values: await load(readNewTopic(ctx)), updatedAt: undefined };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? topicActions.create(form) : topicActions.update(form, id);
}

export default function TopicPage({
  loaderData: { values, updatedAt },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(id)}</h1>
      <PageForm key={id} basedOn={updatedAt} submit="Save" cancelTo={TOPICS}>
        {updatedAt === undefined && <DraftKey />}
        <FormSection
          title="Topic"
          help="Subscribers choose it when they confirm their address, from any letter, and in their account."
        >
          <TextField label="Name" name="name" required maxLength={60} defaultValue={values.name} />
          <TextArea
            label="Description"
            name="description"
            rows={3}
            maxLength={300}
            defaultValue={values.description}
            help="What its letters are about, and how often they come."
          />
          <Switch
            label="Offered"
            name="isOffered"
            defaultChecked={values.isOffered}
            help="Switch it off to hide it from those who haven’t chosen it. Those who have still get its letters, and can leave it."
          />
          <TextField
            label="Sort Order"
            name="sortOrder"
            type="number"
            step={1}
            defaultValue={values.sortOrder}
            help="Lower numbers come first. Leave blank to use 0. Reordering the list numbers topics from 1."
          />
        </FormSection>
      </PageForm>
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch this topic");
