import { NO_ANSWERS, type Answers, type RowState } from "../../src/admin/moving-in/subscribers/columns.ts";
import { openFile, type ListFile } from "../../src/admin/moving-in/subscribers/list-file.ts";
import { runImport, type Send } from "../../src/admin/moving-in/subscribers/run.ts";
import { surveyList } from "../../src/admin/moving-in/subscribers/survey.ts";

export async function openList(content: BlobPart, name = "list.csv"): Promise<ListFile> {
  const opened = await openFile(new File([content], name));
  if ("list" in opened) return opened.list;
  throw new Error("error" in opened ? opened.error : "a zip");
}

export const utf16 = (text: string, isLittle: boolean, mark: boolean) => {
  const bytes = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
  return new Blob([isLittle ? bytes : bytes.swap16()]);
};

const quiet = { signal: new AbortController().signal, onProgress: () => {} };

export const survey = async (list: ListFile, answers: Answers = NO_ANSWERS) =>
  surveyList(list, { answers }, quiet);

/** What an import of a list sends: the state of each address; "left out" for one that is not sent. */
export async function statesIn(list: ListFile, answers: Answers = NO_ANSWERS) {
  const states: Record<string, RowState | "left out"> = {};
  const send: Send = async ({ rows }) => {
    for (const { email, status } of rows) states[email] = status;
    return { items: rows.map(({ line }) => ({ line, outcome: { kind: "added", state: "confirmed" } })) };
  };
  const plan = {
    list,
    answers,
    survey: await survey(list, answers),
    about: {
      importId: "3f1f1b0a-0000-4000-8000-000000000000",
      fileName: "list.csv",
      source: "import",
      consent: "Words",
      isConfirmed: true,
    },
  };
  const report = await runImport(plan, { send, ...quiet });
  for (const { text } of report.inOrder()) if (text.includes("@")) states[text] ??= "left out";
  return states;
}
