import { Form, useNavigation } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { PersonQuery, type Person } from "#worker/people/contract.ts";
import { readPerson } from "#worker/people/queries.ts";
import { DownloadButton } from "../../shell/download-button.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { act } from "../../form/submit.ts";
import { requireTab } from "../../shell/guard.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { useDeleteQuestion } from "../../lists/list-page.tsx";
import { DeletePerson } from "./delete-person.tsx";
import { HeldList } from "./held-list.tsx";
import { inNumbers } from "./record-titles.ts";
import type { Route } from "./+types/page";

export const middleware = requireTab("guests");

export const meta = pageTitle("A person’s data");

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = url.searchParams.get("email");
  if (asked === null) return { asked: "", error: null, person: null };
  const query = PersonQuery.safeParse({ email: asked });
  if (!query.success) return { asked, error: query.error.issues[0]!.message, person: null };
  const person = await load(readPerson(context.get(siteContext), query.data));
  return { asked: person.email, error: null, person };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const email = String(form.get("email"));
  return act(form, async () => {
    await readJson(api.people.$delete({ query: { email } }));
    return "All their data is deleted";
  });
}

export default function PersonPage({ loaderData, actionData }: Route.ComponentProps) {
  const { asked, error, person } = loaderData;
  const deletion = useDeleteQuestion<Person>(actionData);
  const isLooking = useNavigation().state === "loading";
  return (
    <>
      <header className="mb-6 grid max-w-2xl gap-2">
        <h1 className="text-xl font-semibold">A person’s data</h1>
        <p className="text-muted">
          Everything you hold about a person: what they sent, what you wrote to them, their subscription and
          their membership. Enter their full email address.
        </p>
      </header>
      {/* Keyed, so that the field shows a new address. */}
      <Form key={asked} role="search" className="flex max-w-xl flex-wrap items-start gap-3" noValidate>
        <TextField
          label="Email"
          name="email"
          type="email"
          defaultValue={asked}
          error={error}
          maxLength={254}
          autoComplete="off"
          className="min-w-56 flex-1 max-sm:min-w-full"
        />
        <Button type="submit" tone="primary" busy={isLooking} className="sm:mt-6.5">
          Look up
        </Button>
      </Form>
      {person && <Result person={person} onDelete={() => deletion.ask(person)} />}
      <DeletePerson person={deletion.item} onClose={deletion.close} />
    </>
  );
}

function Result({ person, onDelete }: { person: Person; onDelete: () => void }) {
  const { email, counts, latest, hasAccount } = person;
  const query = (format: string) => new URLSearchParams({ email, format });
  const account = hasAccount && (
    <p>
      This address belongs to a user. Manage accounts in the{" "}
      <Link to="/admin/users" className="link">
        Users tab
      </Link>
      .
    </p>
  );
  if (latest.length === 0) {
    return (
      <EmptyState title="Nothing found" className="mt-8">
        <p className="wrap-anywhere">{`There’s no data about ${email}: nothing sent, no subscription and no membership.`}</p>
        {account}
      </EmptyState>
    );
  }
  return (
    <>
      <section aria-labelledby="found" className="mt-8 grid gap-4 border-t border-rule pt-6">
        <h2 id="found" className="text-lg font-semibold wrap-anywhere">
          {email}
        </h2>
        <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {inNumbers(counts).map(({ kind, words }) => (
            <li key={kind}>
              <a href={`#${kind}`} className="link">
                {words}
              </a>
            </li>
          ))}
        </ul>
        {account}
        <ButtonRow>
          <DownloadButton to={`/api/admin/people/export?${query("json")}`}>Export JSON</DownloadButton>
          <DownloadButton to={`/api/admin/people/export?${query("csv")}`}>Export CSV</DownloadButton>
          <Button tone="danger" onClick={onDelete}>
            Delete everything
          </Button>
        </ButtonRow>
      </section>
      {latest.map(({ kind, items }) => (
        <HeldList key={kind} kind={kind} count={counts[kind]} items={items} />
      ))}
    </>
  );
}

export const ErrorBoundary = errorPage("Failed to look up the address");
