import { Link } from "#site/document/link.tsx";
import type { EpisodeRow } from "#worker/episodes/contract.ts";
import { SelectField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { statusNames } from "../publishing.ts";

type Props = { id: number; episodes: Pick<EpisodeRow, "id" | "title" | "status">[] };

/** Names an approved applicant as a guest of an episode. */
export const GuestForm = ({ id, episodes }: Props) => (
  <section aria-labelledby="guest" className="mt-8 max-w-3xl border-t border-rule pt-6">
    <h2 id="guest" className="mb-3 font-semibold">
      Guest of an episode
    </h2>
    {episodes.length === 0 ? (
      <p className="text-sm text-muted">
        There are no episodes yet.{" "}
        <Link to="/admin/podcast/new" className="link">
          Create one
        </Link>
      </p>
    ) : (
      <Form intent="guest" className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        <SelectField
          label="Episode"
          name="episodeId"
          help="The episode names them, with the link from the application. Add other people on the episode’s own page."
        >
          {episodes.map(({ id: episode, title, status }) => (
            <option key={episode} value={episode}>
              {`${title} (${statusNames[status].toLowerCase()})`}
            </option>
          ))}
        </SelectField>
        <div>
          <Submit tone="quiet">Add as a guest</Submit>
        </div>
      </Form>
    )}
  </section>
);
