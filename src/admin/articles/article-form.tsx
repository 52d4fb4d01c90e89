import { useEffect, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { AltField } from "#site/admin/files/alt-field.tsx";
import { FileField } from "#site/admin/files/file-field.tsx";
import { counted } from "#site/ui/format.ts";
import { useLocale } from "#site/ui/locale.ts";
import {
  articleDefaults,
  type ArticleInput,
  type ArticleStatus,
  type Category,
  type OpenedArticle,
} from "#worker/articles/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import type { Versions } from "../form/compare-versions.tsx";
import { DraftKey, Options, SelectField, TextArea, TextField } from "../form/fields.tsx";
import { DateTimeField } from "../form/date-time-field.tsx";
import { PageForm } from "../form/form.tsx";
import { readAll } from "../form/read.ts";
import { SavedStatus, useStoredStatus } from "../form/saved-status.tsx";
import { useSaveDraft } from "../form/save-draft.ts";
import { FormSection } from "../form/section.tsx";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { NEW } from "../form/new-item.ts";
import { publishButton, saveLabel, statusNames, withoutOpenSlug } from "../publishing/statuses.ts";
import { articleProblems } from "./article-check.ts";
import { articleForm } from "./article-input.ts";
import { articleWords, sourceNames } from "./article-words.ts";

type Props = {
  name: string;
  /** Null for a new one. */
  article: OpenedArticle | null;
  categories: Category[];
  /** A letter can be made of it. */
  mayMail: boolean;
  onTitle: (title: string) => void;
};

type Fields = { values: ArticleInput };

const newValues: ArticleInput = { title: "", ...articleDefaults };

export function ArticleForm({ name, article, categories, mayMail, onTitle }: Props) {
  const values = article?.values ?? newValues;
  const [status, setStatus] = useStoredStatus(values.status);
  const [image, setImage] = useState(article?.image ?? null);
  useFirstFocus(article === null);
  const versions = useVersions(article, categories);
  return (
    <PageForm
      name={name}
      basedOn={article?.updatedAt}
      savesDuringUpload={article !== null}
      saveDraft={useArticleDraft(article)}
      versions={versions}
      keepAs={`article-${article?.id ?? NEW}`}
      submit={saveLabel("article", values.status, status)}
      publishing={{
        noun: "article",
        spec: articleForm,
        intro: "Readers may miss something:",
        check: articleProblems,
        button: publishButton(values.status, status),
        isScheduled: status === "scheduled",
        mayMail,
      }}
      cancelTo="/admin/articles"
      footer={<PublicLink values={values} />}
    >
      <SavedStatus {...values} />
      {!article && <DraftKey />}
      <div className="grid gap-5 pb-8">
        <div className="grid gap-5 lg:max-w-3xl">
          <TextField
            label="Title"
            name="title"
            required
            defaultValue={values.title}
            onChange={(event) => onTitle(event.currentTarget.value)}
          />
          <TextArea
            label="Excerpt"
            name="excerpt"
            rows={3}
            defaultValue={values.excerpt}
            help="Plain text, one to three sentences. Shown under the title, in lists and in link previews."
          />
        </div>
        <MarkdownField
          label="Text"
          name="content"
          defaultValue={values.content}
          render={render}
          onFeature={setImage}
          help="Markdown. Paste or drop a picture to upload it."
        />
      </div>
      <Publishing
        values={values}
        chosenSlug={article?.chosenSlug}
        status={status}
        onStatus={setStatus}
        categories={categories}
      />
      <Picture values={values} image={image} onImage={setImage} />
      <SearchEngines values={values} />
      <Origin values={values} />
      {article && (
        <p className="pb-6 text-sm text-muted">{`${counted(article.viewCount, "view")} so far.`}</p>
      )}
    </PageForm>
  );
}

/** A new article begins with its title. The attribute would scroll the page, and would take the focus from another field. */
function useFirstFocus(isNew: boolean) {
  useEffect(() => {
    if (!isNew || document.activeElement?.matches("input, textarea, select")) return;
    document.querySelector<HTMLElement>("main [name=title]")?.focus({ preventScroll: true });
  }, [isNew]);
}

const useArticleDraft = (article: OpenedArticle | null) =>
  useSaveDraft({
    spec: articleForm,
    item: article,
    path: "/admin/articles",
    create: (json) => readJson(api.articles.$post({ json })),
    update: (id, json) => readJson(api.articles[":id"].$patch({ param: { id }, json })),
  });

function useVersions(article: OpenedArticle | null, categories: Category[]): Versions | undefined {
  const words = articleWords(categories, useLocale());
  if (!article) return undefined;
  const param = { id: String(article.id) };
  return {
    ...words,
    readMine: (data) => withoutOpenSlug(readAll(data, articleForm.fields)),
    readSaved: () => readJson(api.articles[":id"].$get({ param })),
  };
}

const render = (content: string, signal: AbortSignal) =>
  readJson(api.articles.preview.$post({ json: { content } }, { init: { signal } }));

type PublishingProps = Fields & {
  chosenSlug: string | undefined;
  status: ArticleStatus;
  onStatus: (status: ArticleStatus) => void;
  categories: Category[];
};

const Publishing = ({ values, chosenSlug, status, onStatus, categories }: PublishingProps) => (
  <FormSection title="Publishing">
    <SelectField
      label="Status"
      name="status"
      value={status}
      onChange={(event) => onStatus(event.currentTarget.value as ArticleStatus)}
    >
      <Options of={Object.entries(statusNames)} />
    </SelectField>
    {status === "scheduled" && (
      <DateTimeField label="Publish at" name="scheduledFor" value={values.scheduledFor} isSchedule />
    )}
    {(status === "published" || status === "archived") && (
      <DateTimeField
        label="Publication date"
        name="publishedAt"
        value={values.publishedAt}
        help={
          status === "published"
            ? "Leave blank to use the time you publish."
            : "It keeps this date when you publish it again."
        }
      />
    )}
    <SelectField label="Category" name="categoryId" defaultValue={values.categoryId ?? ""}>
      <option value="">No category</option>
      <Options of={categories.map(({ id, name }) => [id, name])} />
    </SelectField>
    <TextField
      label="Tags"
      name="tags"
      defaultValue={values.tags.join(", ")}
      help="Separate with commas. Each tag links to a search."
    />
    <TextField
      label="Address"
      name="slug"
      defaultValue={chosenSlug}
      placeholder={values.slug}
      help="The end of the link, such as a-long-lease. Leave blank to use the title. Old links keep working."
    />
  </FormSection>
);

type PictureProps = Fields & { image: StoredFile | null; onImage: (image: StoredFile | null) => void };

const Picture = ({ values, image, onImage }: PictureProps) => (
  <FormSection title="Picture">
    <FileField
      label="Featured picture"
      name="imageFileId"
      folder="articles"
      value={image}
      onChange={onImage}
      help="At least 1200 px wide. Shown above the text, in lists and in link previews."
    />
    <AltField
      image={image}
      defaultValue={values.imageAlt}
      help="For people who can’t see it. Leave blank to use the file’s own description."
    />
    <TextField
      label="Caption"
      name="imageCaption"
      maxLength={300}
      defaultValue={values.imageCaption}
      help="Shown below the picture: what it is, where, and whose. Leave blank for none."
    />
  </FormSection>
);

const SearchEngines = ({ values }: Fields) => (
  <FormSection title="Search engines" help="Shown in search results and link previews.">
    <TextField
      label="Meta title"
      name="metaTitle"
      defaultValue={values.metaTitle}
      help="Leave blank to use the title."
    />
    <TextArea
      label="Meta description"
      name="metaDescription"
      rows={2}
      defaultValue={values.metaDescription}
      help="Leave blank to use the excerpt."
    />
    <TextField
      label="Meta keywords"
      name="metaKeywords"
      defaultValue={values.metaKeywords}
      help="Separate with commas. Leave blank to use the tags."
    />
  </FormSection>
);

const Origin = ({ values }: Fields) => (
  <FormSection title="Origin" help="Where it first appeared, if not here.">
    <SelectField label="Source" name="source" defaultValue={values.source}>
      <Options of={Object.entries(sourceNames)} />
    </SelectField>
    <TextField label="Source URL" name="sourceUrl" type="url" defaultValue={values.sourceUrl ?? ""} />
    <DateTimeField
      label="Original publication date"
      name="originalPublishedAt"
      value={values.originalPublishedAt}
    />
  </FormSection>
);

const PublicLink = ({ values: { status, slug } }: Fields) =>
  status === "published" && (
    <a href={`/essays/${slug}`} className="link text-sm max-sm:hidden">
      View on the site
    </a>
  );
