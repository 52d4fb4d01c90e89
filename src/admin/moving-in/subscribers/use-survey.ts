import { useEffect, useState } from "react";
import type { Answers, Mapping } from "./columns.ts";
import type { ListFile } from "./list-file.ts";
import { BadList, surveyList, type Survey } from "./survey.ts";

export type SurveyState = {
  /** The latest; it is from before the owner's last answer while `part` is not null. */
  survey: Survey | null;
  /** How much is read, from 0 to 1; null once all is. */
  part: number | null;
  error: string | null;
};

/** Who is in a list, read anew with each answer of the owner. */
export function useSurvey(list: ListFile, mapping: Partial<Mapping>, answers: Answers): SurveyState {
  const [state, setState] = useState<SurveyState>({ survey: null, part: 0, error: null });
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const update = (change: Partial<SurveyState>) =>
      signal.aborted || setState((before) => ({ ...before, ...change }));
    update({ part: 0 });
    surveyList(list, { mapping, answers }, { signal, onProgress: (part) => update({ part }) }).then(
      (survey) => update({ survey, part: null, error: null }),
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof BadList)) console.error(error);
        const words =
          error instanceof BadList ? error.message : "The file couldn’t be read. Choose it again.";
        update({ part: null, error: words });
      },
    );
    return () => control.abort();
  }, [list, mapping, answers]);
  return state;
}
