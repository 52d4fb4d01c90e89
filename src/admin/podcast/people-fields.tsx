import type { Person } from "#worker/episodes/contract.ts";
import { personRoles } from "#worker/episodes/taxonomy.ts";
import { SelectField, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { creditOf } from "./credits.ts";

type Props = { people: Person[]; help: string };

export function PeopleFields({ people, help }: Props) {
  return (
    <Repeated
      name="people"
      legend="People"
      noun="person"
      add="Add a person"
      help={help}
      initial={people}
      empty={{ name: "", role: "guest", group: "cast", href: null }}
    >
      {(person) => (
        <>
          <TextField label="Name" name="people.name" maxLength={128} defaultValue={person.name} />
          <SelectField label="Role" name="people.credit" defaultValue={creditOf(person)}>
            <CreditOptions person={person} />
          </SelectField>
          <TextField label="Web page" name="people.href" type="url" defaultValue={person.href ?? ""} />
        </>
      )}
    </Repeated>
  );
}

/** The taxonomy's roles by group. A role from before the taxonomy is listed first, until it is replaced. */
const CreditOptions = ({ person }: { person: Person }) => (
  <>
    {!personRoles[person.group]?.includes(person.role) && (
      <option value={creditOf(person)}>{person.role}</option>
    )}
    {Object.entries(personRoles).map(([group, roles]) => (
      <optgroup key={group} label={capitalize(group)}>
        {roles.map((role) => (
          <option key={role} value={creditOf({ group, role })}>
            {capitalize(role)}
          </option>
        ))}
      </optgroup>
    ))}
  </>
);

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
