import { useEffect, useRef, useState, type RefObject } from "react";
import { api, readJson } from "#site/api.ts";
import { Checkbox } from "#site/ui/controls.tsx";
import type { Segment } from "#worker/letters/contract.ts";
import type { SegmentChoices } from "#worker/letters/segment-choices.ts";
import { useFormState } from "../form/context.ts";
import { DateTimeField } from "../form/date-time-field.tsx";
import { Options, SelectField } from "../form/fields.tsx";
import { readSegment } from "./letter-input.ts";
import { sourceName } from "./source-names.ts";

type Props = {
  segment: Segment;
  choices: SegmentChoices;
  /** The number of recipients of the saved segment. */
  count: number;
};

/** The recipients of a letter, in one line that expands to its fields. Recounted after each change. */
export function Recipients({ segment, choices, count: savedCount }: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  const { errors } = useFormState();
  const { count, isEveryone } = useCount(details, { count: savedCount, isEveryone: isEmpty(segment) });
  useEffect(() => {
    // Before the form focuses the first field with an error.
    const hasError = Object.keys(errors?.fields ?? {}).some((field) => field.startsWith("segment"));
    if (hasError && details.current) details.current.open = true;
  }, [errors]);
  // A source without subscribers stays in the form until the owner removes it.
  const known = [...new Set([...choices.sources, ...segment.sources])];
  const { tiers } = choices;
  const hasTopic = choices.topics.some(({ id }) => id === segment.topic);
  return (
    <details ref={details} className="group border-t border-rule py-2">
      <summary className="flex min-h-11 cursor-pointer list-none items-center [&::-webkit-details-marker]:hidden">
        <span>
          <span className="text-muted">Who gets it:</span>{" "}
          <span className="font-medium">
            <span>{isEveryone ? "Everyone" : "Some subscribers"}</span>{" "}
            <span className="figures">{count === null ? "(…)" : `(${count.toLocaleString("en")})`}</span>
          </span>
          {" · "}
          <span className="link group-open:hidden">Change</span>
          <span className="link hidden group-open:inline">Close</span>
        </span>
      </summary>
      <div className="grid max-w-2xl gap-5 pt-2 pb-4">
        <p className="text-sm text-muted">
          Only confirmed subscribers who aren’t paused. Leave this as it is to send to everyone.
        </p>
        {(choices.topics.length > 0 || segment.topic !== null) && (
          <SelectField
            label="Topic"
            name="segment.topic"
            defaultValue={segment.topic ?? ""}
            help="A letter on a topic goes to those who chose it, and to those who never chose and get every letter."
          >
            <option value="">No topic: to all subscribers</option>
            <Options
              of={choices.topics.map(
                ({ id, name, isOffered }) => [id, isOffered ? name : `${name} (hidden)`] as const,
              )}
            />
            {segment.topic !== null && !hasTopic && (
              <option value={segment.topic}>A deleted topic: to no one</option>
            )}
          </SelectField>
        )}
        <SelectField
          label="Of those, only subscribers who match"
          name="segment.match"
          defaultValue={segment.match}
          help="The two dates are one condition."
        >
          <Options
            of={[
              ["all", "all of these conditions"],
              ["any", "any of these conditions"],
            ]}
          />
        </SelectField>
        {tiers.length > 0 && (
          <fieldset className="grid gap-2">
            <legend className="mb-1 text-sm font-medium">Members of</legend>
            <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
              {tiers.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  name="segment.tiers"
                  value={id}
                  defaultChecked={segment.tiers.includes(id)}
                />
              ))}
            </div>
            <p className="text-sm text-muted">With a running membership. Tick none to include all.</p>
          </fieldset>
        )}
        {known.length > 0 && (
          <fieldset className="grid gap-2">
            <legend className="mb-1 text-sm font-medium">Subscribed through</legend>
            <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
              {known.map((source) => (
                <Checkbox
                  key={source}
                  label={sourceName(source)}
                  name="segment.sources"
                  value={source}
                  defaultChecked={segment.sources.includes(source)}
                />
              ))}
            </div>
            <p className="text-sm text-muted">Tick none to include all.</p>
          </fieldset>
        )}
        <DateTimeField label="Signed up from" name="segment.since" value={segment.since} />
        <DateTimeField label="Signed up before" name="segment.until" value={segment.until} />
      </div>
    </details>
  );
}

const isEmpty = ({ topic, sources, tiers, since, until }: Segment) =>
  topic === null && sources.length === 0 && tiers.length === 0 && since === null && until === null;

type Counted = {
  /** Null while counting, and after a failure. */
  count: number | null;
  isEveryone: boolean;
};

/** Milliseconds after the last change. */
const COUNT_AFTER = 400;

function useCount(details: RefObject<HTMLDetailsElement | null>, saved: Counted) {
  const [counted, setCounted] = useState(saved);
  useEffect(() => {
    const element = details.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let latest = 0;
    const count = async () => {
      const turn = ++latest;
      const segment = readSegment(new FormData(element.closest("form")!));
      if (segment === null) return;
      const isEveryone = isEmpty(segment);
      setCounted({ count: null, isEveryone });
      const answer = await readJson(api.newsletters.recipients.$post({ json: segment })).catch(() => null);
      if (turn === latest) setCounted({ count: answer?.count ?? null, isEveryone });
    };
    const countSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void count(), COUNT_AFTER);
    };
    element.addEventListener("input", countSoon);
    return () => {
      clearTimeout(timer);
      latest = -1;
      element.removeEventListener("input", countSoon);
    };
  }, [details]);
  return counted;
}
