import type { ComponentType } from "react";
import { api, readJson } from "#site/api.ts";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { pageContents, pagePaths, type PageInput } from "#worker/pages/contract.ts";
import { readPageForEdit } from "#worker/pages/owner-queries.ts";
import { FormHeading } from "../form/section.tsx";
import { PageForm } from "../form/form.tsx";
import { basedOnOf, submit } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { statusNames } from "../publishing/statuses.ts";
import { pageForms } from "./forms.ts";
import { LIST, pageNames, pageSlugOf, versionsPath } from "./page-paths.ts";
import { PreviewButton } from "./preview.tsx";
import type { Route } from "./+types/edit";

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageTitle(loaderData ? pageNames[loaderData.slug] : "Pages")();

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readPageForEdit(context.get(siteContext), pageSlugOf(params)));

export async function clientAction({ request, params }: Route.ClientActionArgs) {
  const form = await request.formData();
  const slug = pageSlugOf(params);
  return submit(form, {
    fields: pageForms[slug].fields,
    schema: pageContents[slug],
    async send(page: PageInput) {
      const json = { ...page, basedOn: basedOnOf(form) };
      await readJson(api.pages[":slug"].$put({ param: { slug }, json }));
      return "Page saved successfully!";
    },
  });
}

export default function EditPage({ loaderData: { slug, updatedAt, values } }: Route.ComponentProps) {
  const Fields = pageForms[slug].Fields as ComponentType<{ values: PageInput }>;
  return (
    <>
      <header className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <FormHeading title={pageNames[slug]} untitled={pageNames[slug]} state={statusNames.published} />
        <p className="flex flex-wrap gap-x-5">
          <Link to={versionsPath(slug)} className="link py-1 text-sm">
            Versions
          </Link>
          <a href={pagePaths[slug]} className="link py-1 text-sm">
            View on the site
          </a>
        </p>
      </header>
      <PageForm
        key={slug}
        basedOn={updatedAt}
        submit="Save page"
        cancelTo={LIST}
        footer={<PreviewButton slug={slug} />}
      >
        <Fields values={values} />
      </PageForm>
    </>
  );
}
