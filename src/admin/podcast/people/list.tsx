import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { PersonRow } from "#worker/profiles/contract.ts";
import { listPeople } from "#worker/profiles/owner-queries.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PEOPLE, profileActions } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("People");

export const loader = ({ context }: Route.LoaderArgs) => load(listPeople(context.get(siteContext)));

/** Deletes one profile. */
export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  profileActions.remove(await request.formData());

type Profile = PersonRow & { id: number };

export default function People({ loaderData: { items: people }, actionData }: Route.ComponentProps) {
  return (
    <ListPage<Profile>
      title="People"
      actions={
        <ButtonLink to={`${PEOPLE}/new`} tone="primary">
          Add a person
        </ButtonLink>
      }
      answer={actionData}
      noun="profile"
      renderText={({ name }) => (
        <p className="wrap-anywhere">
          What you wrote about “<span>{name}</span>” and their picture are deleted for good. Their page stays
          while episodes name them.
        </p>
      )}
    >
      {(ask) => (
        <>
          <p className="mb-6 text-sm text-muted">
            Everyone whom an episode or the podcast names has a page with their episodes. Add words, a picture
            and links to it here.
          </p>
          {people.length === 0 ? (
            <EmptyState title="No people yet">Name the people of an episode in its form.</EmptyState>
          ) : (
            <ul>
              {people.map((person) => (
                <Row key={person.name} person={person} onDelete={ask} />
              ))}
            </ul>
          )}
        </>
      )}
    </ListPage>
  );
}

type RowProps = { person: PersonRow; onDelete: (profile: Profile) => void };

function Row({ person: { id, name, episodes }, onDelete }: RowProps) {
  const to = id === null ? `${PEOPLE}/new?name=${encodeURIComponent(name)}` : `${PEOPLE}/${id}`;
  return (
    <li className="flex items-center gap-4 border-t border-rule py-3">
      <span className="min-w-0 flex-1">
        <Link to={to} className="link wrap-anywhere">
          {name}
        </Link>
        <span className="block text-sm text-muted">
          {[count(episodes), id === null && "without words"].filter(Boolean).join(" · ")}
        </span>
      </span>
      {id !== null && (
        <Button
          size="sm"
          tone="bare"
          aria-label={`Delete ${name}`}
          onClick={() => onDelete({ id, name, episodes })}
        >
          Delete
        </Button>
      )}
    </li>
  );
}

const count = (episodes: number) =>
  episodes === 0 ? "No published episode" : episodes === 1 ? "1 episode" : `${episodes} episodes`;

export const ErrorBoundary = errorPage("Failed to fetch people");
