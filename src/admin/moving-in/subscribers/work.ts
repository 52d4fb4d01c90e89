import { api, ensureOk, readJson } from "#site/api.ts";
import type { ImportInput } from "#worker/newsletter/contract.ts";
import type { Progress, SourceWork } from "../wizard/use-wizard.ts";
import type { Answers, Mapping } from "./columns.ts";
import type { ListFile } from "./list-file.ts";
import { Report, type Counts } from "./report.ts";
import { runImport } from "./run.ts";
import { BadList, surveyList, type Survey } from "./survey.ts";

/** A list, and what the owner says about it. */
export type ReadList = { list: ListFile; mapping: Partial<Mapping>; answers: Answers };
export type ListPlan = ReadList & { survey: Survey };
export type ListChoice = { about: Omit<ImportInput, "rows">; asksPending: boolean };

/** Of the emails that ask the pending ones to confirm. `underway` at first: the report sends the request. */
export type Asking = "not" | "underway" | "asked" | "failed";
/** `stopped`: why it ended before the file did. */
export type ListReport = { importId: string; report: Report; stopped: string | null; asking: Asking };

const begin: Progress = {
  label: "Reading the list",
  part: 0,
  words: "Reading the list. Nothing has been imported yet.",
  announced: "Reading the list",
};

/** The people in a list, read again with each answer of the owner; then its rows are sent. */
export const listWork: SourceWork<ReadList, ListPlan, ListChoice, ListReport> = {
  begin,
  wordsOf(error) {
    if (error instanceof BadList) return error.message;
    console.error(error);
    return "The file couldn’t be read. Choose it again.";
  },
  async read(input, { signal, show }) {
    const onProgress = (part: number) => show({ ...begin, part });
    return { ...input, survey: await surveyList(input.list, input, { signal, onProgress }) };
  },
  async run(plan, { about, asksPending }, { signal, until, show }) {
    const { importId } = about;
    let report = new Report();
    show(progressOf(0, report.counts));
    const stopped = await runImport(
      { ...plan, about },
      {
        signal,
        send: (json) => until(() => readJson(api.subscribers.import.$post({ json }))),
        onProgress(part, latest) {
          report = latest;
          show(progressOf(part, latest.counts));
        },
      },
    ).then(
      (latest) => {
        report = latest;
        return signal.aborted ? CANCELLED : null;
      },
      (error: unknown) => (signal.aborted ? CANCELLED : stoppedBy(error)),
    );
    const asks = asksPending && stopped === null && report.counts.pending > 0;
    return { importId, report, stopped, asking: asks ? "underway" : "not" };
  },
};

/** Has the pending subscribers of an import asked by email to confirm. */
export const askPending = (importId: string): Promise<Asking> =>
  ensureOk(api.subscribers.import.ask.$post({ json: { importId } })).then(
    () => "asked",
    (error: unknown) => {
      console.error(error);
      return "failed";
    },
  );

function progressOf(part: number, { lines, confirmed, pending, blocked }: Counts): Progress {
  const added = confirmed + pending + blocked;
  const percent = Math.floor(part * 100);
  return {
    label: "Import",
    part,
    words: `${percent} %, ${lines.toLocaleString("en")} lines read, ${added.toLocaleString("en")} added`,
    announced: `${percent - (percent % 10)} % is imported`,
  };
}

const CANCELLED = "Import cancelled. Subscribers already added stay.";

function stoppedBy(error: unknown) {
  console.error(error);
  return `The import stopped: ${error instanceof Error ? error.message : "something went wrong."} Subscribers already added stay.`;
}
