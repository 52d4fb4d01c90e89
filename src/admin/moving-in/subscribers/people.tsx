import type { ReactNode } from "react";
import { SelectField } from "#site/ui/controls.tsx";
import { counted } from "#site/ui/format.ts";
import { doubtKey, OTHER_MENTIONS, rowStates, shownPart, type Answers, type RowState } from "./columns.ts";
import type { Survey, SurveyedWord } from "./survey.ts";

const states: Record<RowState, { name: string; words: string }> = {
  active: { name: "Subscribed", words: "They agreed and haven’t left." },
  pending: { name: "Not confirmed", words: "They never confirmed there. They get no letters until they do." },
  doubtful: { name: "Left out", words: "The file isn’t clear about them, so they aren’t imported." },
  unsubscribed: {
    name: "Unsubscribed",
    words:
      "They left or never agreed. They get no letters, and are unsubscribed here too, unless they confirmed here after that.",
  },
  bounced: { name: "Bounced", words: "Letters to them bounced. They get no letters." },
  complained: { name: "Marked as spam", words: "They marked a letter as spam. They get no letters." },
};

export const stateName = (state: RowState) => states[state].name;

/** The people in the file by state, with the columns that decided. */
export const People = ({ survey }: { survey: Survey }) => (
  <div className="grid gap-4">
    <ul className="grid gap-3">
      {rowStates
        .toReversed()
        .filter((state) => survey.states[state].count > 0)
        .map((state) => (
          <StateItem key={state} state={state} {...survey.states[state]} />
        ))}
    </ul>
    {survey.futureMembers > 0 && (
      <p className="text-sm">
        {`${counted(survey.futureMembers, "subscriber")} paid at the former service, and will be marked as future members.`}
      </p>
    )}
    <Deciding survey={survey} />
  </div>
);

type StateProps = { state: RowState; count: number; examples: string[] };

const StateItem = ({ state, count, examples }: StateProps) => (
  <li className="grid gap-1 border-t border-rule pt-3 sm:grid-cols-[6rem_1fr] sm:gap-4">
    <p className="text-xl font-semibold tabular-nums sm:text-right">{count.toLocaleString("en")}</p>
    <div className="grid min-w-0 gap-1">
      <h3 className="font-medium">{states[state].name}</h3>
      <p className="text-sm text-muted">{states[state].words}</p>
      <p className="text-sm wrap-anywhere">{examples.join(", ") + (count > examples.length ? " …" : "")}</p>
    </div>
  </li>
);

function Deciding({ survey }: { survey: Survey }) {
  const { layout, deciding } = survey;
  const everyone = layout.known?.everyone;
  if (everyone) return <p className="text-sm">{`${everyone.why}, as the file’s name says.`}</p>;
  if (deciding.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm">
      <h3 className="font-medium">Columns that decided</h3>
      <ul className="list-disc pl-5">
        {deciding.map(({ column, people }) => (
          <li key={column} className="wrap-anywhere">
            {`“${layout.nameOf(column)}”: ${people === 0 ? "no one left by it" : `${persons(people)} left or never confirmed`}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

type DoubtsProps = {
  survey: Survey;
  words: Answers["words"];
  onAnswer: (words: Answers["words"]) => void;
};

/** Values that were not understood, and words that may mean something else; the owner may say what they mean. */
export function NotUnderstood({ survey, words, onAnswer }: DoubtsProps) {
  const { doubts, mentions, otherMentions } = survey;
  const lines = otherLines(survey);
  const answer = (key: string, value: string) => {
    const { [key]: _former, ...others } = words;
    onAnswer(value === "" ? others : { ...others, [key]: value as "active" | "unsubscribed" });
  };
  return (
    <>
      {doubts.length + lines.length > 0 && (
        <section aria-labelledby="not-understood" className="grid gap-4">
          <h2 id="not-understood" className="font-semibold">
            Not understood
          </h2>
          {lines.length > 0 && (
            <ul className="list-disc pl-5">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          {doubts.map((word) => (
            <Meaning key={doubtKey(word.doubt)} survey={survey} word={word} words={words} onAnswer={answer}>
              <option value="">Leave them out</option>
              <option value="active">They’re subscribed</option>
              <option value="unsubscribed">They left</option>
            </Meaning>
          ))}
        </section>
      )}
      {mentions.length > 0 && (
        <section aria-labelledby="mentioned" className="grid gap-4">
          <h2 id="mentioned" className="font-semibold">
            Words in other columns
          </h2>
          <p className="text-muted">
            These look like the name of a person, a company, a post or a place, so they don’t decide.
          </p>
          {mentions.map((word) => (
            <Meaning key={doubtKey(word.doubt)} survey={survey} word={word} words={words} onAnswer={answer}>
              <option value="">It says nothing about letters</option>
              <option value="unsubscribed">They left</option>
            </Meaning>
          ))}
          {otherMentions.people > 0 && (
            <SelectField
              label={`${counted(otherMentions.keys.size, "other value")} like these: ${persons(otherMentions.people)}`}
              help={`Such as ${otherMentions.examples.join(", ")}`}
              value={words[OTHER_MENTIONS] ?? ""}
              onChange={({ currentTarget }) => answer(OTHER_MENTIONS, currentTarget.value)}
            >
              <option value="">Leave them out</option>
              <option value="active">They say nothing about letters</option>
              <option value="unsubscribed">They left</option>
            </SelectField>
          )}
        </section>
      )}
    </>
  );
}

type MeaningProps = {
  survey: Survey;
  word: SurveyedWord;
  words: Answers["words"];
  onAnswer: (key: string, value: string) => void;
  children: ReactNode;
};

function Meaning({ survey, word: { doubt, people, examples }, words, onAnswer, children }: MeaningProps) {
  const key = doubtKey(doubt);
  return (
    <SelectField
      label={`${doubtWords(survey, doubt)}: ${persons(people)}`}
      help={`Such as ${examples.join(", ")}`}
      value={words[key] ?? ""}
      onChange={({ currentTarget }) => onAnswer(key, currentTarget.value)}
    >
      {children}
    </SelectField>
  );
}

const persons = (count: number) => (count === 1 ? "1 person" : `${count.toLocaleString("en")} people`);

function doubtWords({ layout }: Survey, doubt: SurveyedWord["doubt"]) {
  const shown = shownPart(doubt);
  if (doubt.column === null) return `Below “${shown}”`;
  const name = layout.nameOf(doubt.column);
  return shown === "" ? `“${name}” is blank` : `“${name}” says “${shown}”`;
}

function otherLines({ withoutAddress, broken, cutLine }: Survey) {
  return [
    withoutAddress > 0 && `${counted(withoutAddress, "line")} without an email address`,
    broken > 0 && `${counted(broken, "line")} with an unmatched quotation mark`,
    cutLine !== null &&
      `Line ${cutLine.toLocaleString("en")}, within which the file ends. It may be cut off: export it again`,
  ].filter((line) => line !== false);
}
