import { useEffect, useId, useRef, useState } from "react";
import { replace, useSearchParams } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { controlClass, Field } from "#site/ui/field.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { categoryDefaults, NewCategory, type Category } from "#worker/articles/contract.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { useFieldError } from "../form/context.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { act, basedOnOf, intentOf, submit } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { DeleteDialog, useDeleteQuestion } from "../lists/list-page.tsx";
import { toast } from "../shell/toast.tsx";
import { CategoryMark } from "./category-mark.tsx";
import type { Route } from "./+types/categories";

const LIST = "/admin/articles/categories";

export const meta = pageTitle("Categories");

export const loader = ({ context }: Route.LoaderArgs) => load(listCategories(context.get(siteContext)));

const category = {
  fields: { name: text, slug: text, description: text, color: text },
  schema: NewCategory,
};

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const param = { id: String(form.get("id")) };
  if (intentOf(form) === "delete") {
    return act(form, async () => {
      await ensureOk(api.categories[":id"].$delete({ param }));
      return "Category deleted successfully!";
    });
  }
  return submit(form, {
    ...category,
    async send(json) {
      if (!form.has("id")) {
        await readJson(api.categories.$post({ json }));
        return "Category created successfully!";
      }
      await readJson(api.categories[":id"].$patch({ param, json: { ...json, basedOn: basedOnOf(form) } }));
      toast.success("Category updated successfully!");
      return replace(LIST);
    },
  });
}

export default function Categories({ loaderData: { items: categories }, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const edited = categories.find(({ id }) => String(id) === params.get("edit"));
  const deletion = useDeleteQuestion<Category>(actionData);
  useFocusOnEdited(edited?.id);
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Categories</h1>
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <CategoryForm key={edited?.id ?? "new"} edited={edited} />
        <div>
          {categories.length === 0 ? (
            <EmptyState title="No categories yet">Create the first one. All it needs is a name.</EmptyState>
          ) : (
            <CategoryList categories={categories} onDelete={deletion.ask} />
          )}
        </div>
      </div>
      <DeleteDialog
        item={deletion.item}
        onClose={deletion.close}
        noun="category"
        title="Are you sure? This will affect all articles in this category."
        renderText={({ name }) => (
          <p className="wrap-anywhere">
            Articles in “<span>{name}</span>” stay, without a category.
          </p>
        )}
      />
    </>
  );
}

/**
 * After a category is saved, or editing is cancelled, the focus returns to the button that started it, unless it is
 * elsewhere.
 */
function useFocusOnEdited(id: number | undefined) {
  const last = useRef<number>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = id;
    if (id !== undefined || before === undefined || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`[data-edits="${before}"]`)?.focus();
  }, [id]);
}

/** Creates a category, or edits the one that the address names. */
function CategoryForm({ edited }: { edited: Category | undefined }) {
  const heading = useId();
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (edited) name.current?.focus();
  }, [edited]);
  const values = edited ?? { name: "", ...categoryDefaults };
  return (
    <section aria-labelledby={heading} className="grid content-start gap-5">
      <h2 id={heading} className="text-base font-semibold">
        {edited ? "Edit category" : "New category"}
      </h2>
      <Form clearWhenSaved basedOn={edited?.updatedAt}>
        {edited && <input type="hidden" name="id" value={edited.id} />}
        <TextField ref={name} label="Name" name="name" required defaultValue={values.name} />
        <ColorField value={values.color} />
        <TextArea label="Description" name="description" rows={2} defaultValue={values.description} />
        <TextField
          label="Address"
          name="slug"
          defaultValue={values.slug}
          help="The end of the link, such as public-health. Leave blank to use the name."
        />
        <ButtonRow>
          <Submit>{edited ? "Save changes" : "Create category"}</Submit>
          {edited && (
            <ButtonLink to={LIST} replace preventScrollReset>
              Cancel
            </ButtonLink>
          )}
        </ButtonRow>
      </Form>
    </section>
  );
}

/** A colour, typed or picked. */
function ColorField({ value }: { value: string }) {
  const [color, setColor] = useState(value);
  return (
    <Field label="Colour" error={useFieldError("color")} help="Marks the category’s articles on the site.">
      {(control) => (
        <span className="flex gap-3">
          <input
            type="color"
            aria-label="Pick a colour"
            value={/^#[0-9a-f]{6}$/i.test(color) ? color : categoryDefaults.color}
            onChange={(event) => setColor(event.currentTarget.value)}
            className="h-10 w-14 shrink-0 rounded-md border border-edge bg-raised p-1"
          />
          <input
            {...control}
            name="color"
            value={color}
            onChange={(event) => setColor(event.currentTarget.value)}
            spellCheck={false}
            autoComplete="off"
            className={cx(controlClass, "h-10 font-mono")}
          />
        </span>
      )}
    </Field>
  );
}

type ListProps = { categories: Category[]; onDelete: (category: Category) => void };

const CategoryList = ({ categories, onDelete }: ListProps) => (
  <ul className="border-t border-rule">
    {categories.map((item) => (
      <li key={item.id} className="flex flex-wrap items-start gap-x-4 border-b border-rule py-3 text-sm">
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium wrap-anywhere">
            <CategoryMark category={item} />
          </p>
          {item.description && <p className="text-muted wrap-anywhere">{item.description}</p>}
        </div>
        <span className="ml-auto whitespace-nowrap">
          <ButtonLink
            to={`${LIST}?edit=${item.id}`}
            tone="bare"
            size="sm"
            aria-label={`Edit ${item.name}`}
            data-edits={item.id}
          >
            Edit
          </ButtonLink>
          <Button tone="bare" size="sm" aria-label={`Delete ${item.name}`} onClick={() => onDelete(item)}>
            Delete
          </Button>
        </span>
      </li>
    ))}
  </ul>
);
