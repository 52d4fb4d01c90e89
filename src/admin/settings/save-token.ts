import { api, ensureOk, readJson } from "#site/api.ts";
import { NewToken } from "#worker/accounts/contract.ts";
import { checkedValues, numberOrNull, text } from "../form/read.ts";
import { act, intentOf, saved, submit } from "../form/submit.ts";

export const MAKE_TOKEN = "token-make";
export const REVOKE_TOKEN = "token-revoke";

const scopes = (form: FormData, name: string) => checkedValues(form, name).filter((value) => value !== "");

export async function saveToken(request: Request) {
  const form = await request.formData();
  if (intentOf(form) === REVOKE_TOKEN) return act(form, () => revoke(form));
  return submit(form, {
    fields: { name: text, scopes, days: numberOrNull },
    schema: NewToken,
    async send(json) {
      const { name, secret } = await readJson(api.tokens.$post({ json }));
      return { ...saved(form, "Token made."), made: { name, secret } };
    },
  });
}

async function revoke(form: FormData) {
  await ensureOk(api.tokens[":id"].$delete({ param: { id: String(form.get("id")) } }));
  return `${String(form.get("name"))} was revoked.`;
}
