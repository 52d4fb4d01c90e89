import { siteContext } from "#site/context.ts";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { readQuestion } from "#worker/letters/answer-queries.ts";
import type { AnswerCount, AskedQuestion } from "#worker/letters/contract.ts";
import type { Route } from "./+types/answer.ts";
import { PageError } from "../page-error.tsx";
import { home, personal, Screen, unlisted } from "./link-page.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = url.searchParams.get("token") ?? "";
  const asked = await readQuestion(context.get(siteContext), token);
  // The link of an answer preselects it, until it is sent.
  return { token, asked, pressed: Number(url.searchParams.get("answer")) };
}

export const meta = unlisted;

/** The page of an answer in a letter. Only its button counts: mail scanners open every link. */
export default function Answer({ loaderData: { token, asked, pressed } }: Route.ComponentProps) {
  switch (asked.state) {
    case "invalid":
      return <Invalid />;
    case "gone":
      return <Gone />;
    case "closed":
      return <Closed {...asked} />;
    case "open":
      return <Open token={token} asked={asked} pressed={pressed} />;
  }
}

type Asked<State> = Extract<AskedQuestion, { state: State }>;

function Open({ token, asked, pressed }: { token: string; asked: Asked<"open">; pressed: number }) {
  const { question, answers, choice, address, closesAt, results } = asked;
  const given = choice === null ? undefined : answers[choice - 1];
  const isThanks = given !== undefined && pressed === 0;
  const who = (
    <span>
      <span>{`You answer as ${address}. Only the totals are shown to anyone. Until `}</span>
      <DateTime at={closesAt} format={formatDateTime} />
      <span>, you can change your answer.</span>
    </span>
  );
  const form = (
    <form method="post" action="/api/newsletter/answer" className="grid gap-5">
      <input type="hidden" name="form" value="answer" />
      <input type="hidden" name="token" value={token} />
      <fieldset className="grid gap-1.5">
        <legend className="text-sm font-medium">{isThanks ? question : "Your answer"}</legend>
        {answers.map((answer, index) => (
          <label key={answer} className="flex min-h-12 items-center gap-2">
            <input
              type="radio"
              name="answer"
              value={index + 1}
              required
              defaultChecked={index + 1 === (pressed || choice)}
              className="size-4"
            />
            <span>{answer}</span>
          </label>
        ))}
      </fieldset>
      <div>
        <Button type="submit" tone={isThanks ? "quiet" : "primary"} size={isThanks ? "md" : "lg"}>
          {given === undefined ? "Send answer" : "Change answer"}
        </Button>
        <p id="answer-failed" className="mt-3 hidden text-sm font-medium text-danger target:block">
          That didn’t work. Please try again.
        </p>
      </div>
    </form>
  );
  if (isThanks)
    return (
      <Screen title="Thank you for your answer" text={`${question} ${given}`} isGood>
        {results && <Results results={results} />}
        <p className="max-w-xl text-muted">{who}</p>
        {form}
      </Screen>
    );
  return (
    <Screen title={question} text={who}>
      {given !== undefined && <p>{`Your answer so far: ${given}`}</p>}
      {form}
    </Screen>
  );
}

const Closed = ({ question, results }: Asked<"closed">) => (
  <Screen title="This question is closed" text={question} ways={[home]}>
    {results && <Results results={results} />}
  </Screen>
);

const Gone = () => (
  <Screen
    title="This subscription is deleted"
    text="The letter went to an address that is no longer in our list, so its answer can’t be counted."
    ways={[home]}
  />
);

const Invalid = () => (
  <Screen
    title="This link can’t be answered"
    text="It is from a preview or a test, or a part of it is missing. Use the link in the letter that you got."
    ways={[home]}
  />
);

function Results({ results }: { results: AnswerCount[] }) {
  const all = results.reduce((sum, { votes }) => sum + votes, 0);
  return (
    <dl className="grid w-full max-w-xl gap-3">
      {results.map(({ answer, votes }) => (
        <div key={answer} className="flex justify-between gap-4 border-t border-rule">
          <dt>{answer}</dt>
          <dd className="figures">{`${Math.round((100 * votes) / Math.max(all, 1))}% (${votes})`}</dd>
        </div>
      ))}
    </dl>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
