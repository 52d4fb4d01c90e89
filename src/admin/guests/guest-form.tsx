import { Link } from "#site/document/link.tsx";
import { ButtonRow } from "#site/ui/button.tsx";
import type { EpisodeRow } from "#worker/episodes/contract.ts";
import { useCloseDialog } from "../lists/dialog-address.ts";
import { Options, SelectField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { statusNames } from "../publishing/statuses.ts";
import { guestPaths, newEpisodeWith } from "./enquiry-kinds.ts";

type Props = { id: number; episodes: Pick<EpisodeRow, "id" | "title" | "status">[] };

/** Names an approved applicant as a guest of an episode. */
export const GuestSection = (props: Props) => (
  <section aria-labelledby="guest" className="mt-8 max-w-3xl border-t border-rule pt-6">
    <h2 id="guest" className="mb-3 font-semibold">
      Guest of an episode
    </h2>
    <GuestForm {...props} />
  </section>
);

type DialogProps = { chosen: (Props & { name: string }) | null };

export const EpisodeDialog = ({ chosen }: DialogProps) => (
  <FormDialog
    open={chosen !== null}
    onClose={useCloseDialog(guestPaths)}
    title="Add to an episode"
    description={
      <span className="wrap-anywhere">
        Guest: <bdi>{chosen?.name}</bdi>
      </span>
    }
  >
    {chosen && <GuestForm {...chosen} isDialog />}
  </FormDialog>
);

function GuestForm({ id, episodes, isDialog = false }: Props & { isDialog?: boolean }) {
  const newEpisode = (
    <Link to={newEpisodeWith(id)} className="link text-sm">
      New episode with this guest
    </Link>
  );
  if (episodes.length === 0) {
    return (
      <p className="text-sm text-muted">
        <span>There are no episodes yet.</span> {newEpisode}
      </p>
    );
  }
  return (
    <Form intent="guest" className="grid gap-3">
      <input type="hidden" name="id" value={id} />
      <SelectField
        label="Episode"
        name="episodeId"
        help="The episode names them, with the link from the application. Add other people on the episode’s own page."
      >
        <Options
          of={episodes.map(({ id: episode, title, status }) => [
            episode,
            `${title} (${statusNames[status].toLowerCase()})`,
          ])}
        />
      </SelectField>
      <ButtonRow className={isDialog ? "justify-end" : undefined}>
        {isDialog ? <CancelButton /> : null}
        <Submit tone={isDialog ? "primary" : "quiet"}>Add as a guest</Submit>
        {isDialog ? null : newEpisode}
      </ButtonRow>
    </Form>
  );
}
