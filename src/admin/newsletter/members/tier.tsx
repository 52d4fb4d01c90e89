import { siteContext } from "#site/context.ts";
import { readNewTier, readTierForEdit } from "#worker/members/tier-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { DraftKey, TextArea, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { NEW } from "../../form/new-item.ts";
import { FormSection } from "../../form/section.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { TIERS } from "./member-words.ts";
import { tierActions } from "./save.ts";
import type { Route } from "./+types/tier";

const titleOf = (id: string) => (id === NEW ? "New tier" : "Edit tier");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id === NEW) return load(readNew(ctx));
  return load(readTierForEdit(ctx, Number(id)));
}

const readNew = async (ctx: Context) => ({ values: await readNewTier(ctx), updatedAt: undefined });

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? tierActions.create(form) : tierActions.update(form, id);
}

export default function TierPage({
  loaderData: { values, updatedAt },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(id)}</h1>
      <PageForm key={id} basedOn={updatedAt} submit="Save" cancelTo={TIERS}>
        {updatedAt === undefined && <DraftKey />}
        <FormSection title="Tier" help="Members see its name, price and description.">
          <TextField label="Name" name="name" required maxLength={60} defaultValue={values.name} />
          <TextField
            label="Price"
            name="price"
            maxLength={60}
            placeholder="$5 a month"
            defaultValue={values.price}
            help="In your own words. Nothing is charged by it."
          />
          <TextArea
            label="Description"
            name="description"
            rows={4}
            maxLength={1000}
            defaultValue={values.description}
            help="What its members get."
          />
          <TextField
            label="Sort Order"
            name="sortOrder"
            type="number"
            step={1}
            defaultValue={values.sortOrder}
            help="Lower numbers come first. Leave blank to use 0. Reordering the list numbers tiers from 1."
          />
        </FormSection>
      </PageForm>
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to fetch this tier");
