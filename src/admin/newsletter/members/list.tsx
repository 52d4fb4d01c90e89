import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { MemberListQuery, type Member } from "#worker/members/contract.ts";
import { listMembers } from "#worker/members/owner-queries.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "../../lists/list-filters.tsx";
import { useDeleteQuestion } from "../../lists/list-page.tsx";
import { ACTIONS, TableHead } from "../../lists/table-head.tsx";
import { DownloadButton } from "../../shell/download-button.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { DeleteMemberDialog } from "./delete-dialog.tsx";
import { LIST, memberPath, sourceNames, stateNames, stateTones, TIERS } from "./member-words.ts";
import { deleteMember } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Members");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, MemberListQuery, "members");
  const [list, tiers] = await load(Promise.all([listMembers(ctx, query), listTiers(ctx)]));
  return { ...list, tiers: tiers.items, query };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  deleteMember(await request.formData());

/** The people with a membership, filtered by its tier and state. */
export default function MemberList({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, tiers, query } = loaderData;
  const { before, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  const deletion = useDeleteQuestion<Member>(actionData);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Members</h1>
        <ButtonRow>
          <DownloadButton to="/api/admin/members/export">Export CSV</DownloadButton>
          <ButtonLink to={TIERS}>Tiers</ButtonLink>
          {tiers.length > 0 && (
            <ButtonLink to={`${LIST}/new`} tone="primary">
              Add member
            </ButtonLink>
          )}
        </ButtonRow>
      </header>
      <ListFilters path={LIST} filters={filters}>
        <FilterSelect
          label="Tier"
          name="tier"
          value={filters.tier}
          options={tiers.map(({ id, name }) => [id, name])}
          className="lg:max-w-44"
        />
        <FilterSelect label="State" name="state" value={filters.state} options={Object.entries(stateNames)} />
      </ListFilters>
      {items.length === 0 ? (
        <Nothing isFiltered={isFiltered || before !== undefined} hasTiers={tiers.length > 0} />
      ) : (
        <MemberTable members={items} onDelete={deletion.ask} />
      )}
      <ListPages path={LIST} query={query} count={items.length} next={next} noun="members" />
      <DeleteMemberDialog member={deletion.item} onClose={deletion.close} />
    </>
  );
}

function Nothing({ isFiltered, hasTiers }: { isFiltered: boolean; hasTiers: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No members found">Try another part of the address, or clear the search.</EmptyState>
    );
  }
  if (hasTiers) {
    return (
      <EmptyState title="No members yet">
        Add people who pay you elsewhere, and those who need not pay, such as guests and the press.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No members yet">
      <p>A membership is of a tier, such as Supporter or Patron. Add the first one.</p>
      <ButtonLink to={`${TIERS}/new`} tone="primary">
        New tier
      </ButtonLink>
    </EmptyState>
  );
}

type RowProps = { member: Member; onDelete: (member: Member) => void };

const MemberTable = ({ members, onDelete }: { members: Member[] } & Pick<RowProps, "onDelete">) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead columns={["Email", "Tier", "State", "Since", "Until", "Source", ACTIONS]} cardsBelow="lg" />
    <tbody>
      {members.map((member) => (
        <MemberRow key={member.id} member={member} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);

const MemberRow = ({ member, onDelete }: RowProps) => (
  <tr className="border-t border-rule max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 max-lg:py-3 lg:*:py-2 lg:*:pr-4 lg:*:last:pr-0">
    <td className="font-medium wrap-anywhere max-lg:w-full">
      <Link to={memberPath(member.id)} className="py-1 underline-offset-4 hover:underline">
        {member.email}
      </Link>
    </td>
    <td dir="auto" className="wrap-anywhere">
      {member.tier}
    </td>
    <td>
      <Badge tone={stateTones[member.state]}>{stateNames[member.state]}</Badge>
    </td>
    <td className="whitespace-nowrap text-muted">
      <span className="lg:sr-only">Since </span>
      <DateTime at={member.since} format={formatShortDate} />
    </td>
    <td className="whitespace-nowrap text-muted">
      {member.until === null ? (
        <span>No end</span>
      ) : (
        <>
          <span className="lg:sr-only">Until </span>
          <DateTime at={member.until} format={formatShortDate} />
        </>
      )}
    </td>
    <td className="text-muted">
      <span>{sourceNames[member.source]}</span>
    </td>
    <td className="text-right max-lg:ml-auto max-lg:-mr-3">
      <Button tone="bare" size="sm" aria-label={`Delete ${member.email}`} onClick={() => onDelete(member)}>
        Delete
      </Button>
    </td>
  </tr>
);

export const ErrorBoundary = errorPage("Failed to fetch members");
