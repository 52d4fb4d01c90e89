import { useEffect, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { ArticleInput, Category } from "#worker/articles/contract.ts";
import { ComparedFields, changedFields, type Values } from "../../form/compare/fields.tsx";
import { articleWords } from "../../articles/article-words.ts";
import { isReadable } from "./send.ts";
import { statusOfNew, type BatchRow } from "./items.ts";

type Props = { row: BatchRow; categories: Category[] };

/** What an update changes, word by word; of a new article, how it begins. */
export function BatchDifference({ row, categories }: Props) {
  const words = articleWords(categories, useLocale());
  const { before, error } = useArticle(row.result?.id ?? null);
  if (!isReadable(row)) return null;
  if (error) {
    return (
      <p role="alert" className="text-sm font-medium text-danger">
        The article couldn’t be loaded. Close this and open it again.
      </p>
    );
  }
  if (before === undefined) return <p className="text-sm text-muted">Loading</p>;
  const after = valuesAfter(row, categories);
  return <ComparedFields fields={changedFields(before, before === null ? opening(after) : after, words)} />;
}

/** The current article; null for a new one, undefined until it is loaded. */
function useArticle(id: number | null) {
  const [before, setBefore] = useState<Values | null | undefined>(id === null ? null : undefined);
  const [error, setError] = useState(false);
  useEffect(() => {
    if (id === null) return;
    let isCurrent = true;
    readJson(api.articles[":id"].$get({ param: { id: String(id) } })).then(
      ({ values }) => isCurrent && setBefore(values),
      (cause: unknown) => {
        console.error(cause);
        if (isCurrent) setError(true);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return { before, error };
}

/** The fields that the update changes; those of a new article all. */
function valuesAfter(row: BatchRow, categories: Category[]): Values {
  const { article, result } = row;
  const { category, draftKey: _key, newStatus: _newStatus, ...fields } = article ?? { title: "" };
  const wanted = category?.toLowerCase();
  const categoryId = categories.find(({ name, slug }) =>
    [name.toLowerCase(), slug].includes(wanted ?? ""),
  )?.id;
  const values: Values = {
    ...fields,
    ...(result?.action === "insert" && { status: statusOfNew(row) }),
    ...(category !== undefined && { categoryId: categoryId ?? null }),
  };
  if (result?.action !== "update") return values;
  return Object.fromEntries(
    Object.entries(values).filter(([field]) => result.changed.includes(field as keyof ArticleInput)),
  );
}

/** Characters of a new text that are enough to know it by. */
const OPENING = 600;

function opening(values: Values): Values {
  const content = String(values["content"] ?? "");
  return content.length <= OPENING ? values : { ...values, content: `${content.slice(0, OPENING)}…` };
}
