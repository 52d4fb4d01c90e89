import { ApiError, api, ensureOk, readJson } from "#site/api.ts";
import type { NewCategory } from "#worker/articles/contract.ts";

type Category = { id: number; name: string };
type Until = <T>(send: () => Promise<T>) => Promise<T>;

/** The categories of this site once those of the export are among them, which are known by their names. */
export async function bringCategories(
  wanted: NewCategory[],
  here: Category[],
  until: Until,
): Promise<Category[]> {
  const names = new Set(here.map(({ name }) => name.toLowerCase()));
  const missing = wanted.filter(({ name }) => !names.has(name.toLowerCase()));
  if (missing.length === 0) return here;
  for (const category of missing) await until(() => create(category));
  return (await until(() => readJson(api.categories.$get()))).items;
}

/** A refused category is left out, and its articles have a note. Sending it again after a lost response finds it. */
async function create(json: NewCategory) {
  try {
    await ensureOk(api.categories.$post({ json }));
  } catch (error) {
    if (!(error instanceof ApiError && [409, 422].includes(error.status))) throw error;
    console.error(error);
  }
}
