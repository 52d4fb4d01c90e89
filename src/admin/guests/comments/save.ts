import { api, ensureOk, readJson } from "#site/api.ts";
import { Answer, commentBoxes, type CommentBox } from "#worker/comments/contract.ts";
import { text } from "../../form/read.ts";
import { act, intentOf, submit } from "../../form/submit.ts";
import { doneWords, movedWords } from "./comment-boxes.ts";

/** Handles the list's forms: moving and deleting comments, and answers. */
export async function saveComments(request: Request) {
  const form = await request.formData();
  const intent = intentOf(form);
  if (intent === "answer") return answer(form);
  return act(form, async () => {
    if (isBox(intent)) {
      const { count } = await readJson(api.comments.$patch({ json: { ids: idsOf(form), status: intent } }));
      return doneWords(count, movedWords[intent]);
    }
    const { count } = await readJson(api.comments.delete.$post({ json: { ids: idsOf(form) } }));
    return doneWords(count, "deleted");
  });
}

const isBox = (intent: string): intent is CommentBox => (commentBoxes as readonly string[]).includes(intent);

const idsOf = (form: FormData) => String(form.get("ids")).split(",").map(Number);

const answer = (form: FormData) =>
  submit(form, {
    fields: { text },
    schema: Answer,
    async send(json) {
      await ensureOk(api.comments[":id"].answer.$post({ param: { id: String(form.get("id")) }, json }));
      return "Answer published";
    },
  });
