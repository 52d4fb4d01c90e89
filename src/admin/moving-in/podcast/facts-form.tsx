import { Checkbox } from "#site/ui/controls.tsx";
import type { FeedFacts } from "#worker/imports/feed/contract.ts";
import { Form, Submit } from "../../form/form.tsx";
import { listFacts } from "./move-facts.ts";

/** The feed's facts about the podcast, of which the owner chooses some to copy. */
export function FactsForm({ facts, hasShow }: { facts: FeedFacts; hasShow: boolean }) {
  const listed = listFacts(facts);
  if (listed.length === 0) return null;
  return (
    <section aria-labelledby="facts" className="grid gap-4">
      <h2 id="facts" className="text-lg font-semibold">
        The podcast itself
      </h2>
      <p className="max-w-2xl text-muted">
        {hasShow
          ? "Ticked details replace what the podcast says here. Leave its identity unticked if listeners already subscribe to the feed here."
          : "The podcast isn’t described here yet, so there’s no feed. Ticked details describe it as the old feed does; you can change them later."}
      </p>
      <Form intent="show" className="grid gap-5">
        <fieldset className="grid gap-x-10 gap-y-3 md:grid-cols-2">
          <legend className="sr-only">Details to copy</legend>
          {listed.map(({ name, label, value }) => (
            <Checkbox
              key={name}
              name="facts"
              value={name}
              defaultChecked={!hasShow}
              label={label}
              help={<span className="wrap-anywhere">{value}</span>}
              className="min-w-0"
            />
          ))}
        </fieldset>
        <div>
          <Submit tone="quiet">Use these details</Submit>
        </div>
      </Form>
    </section>
  );
}
