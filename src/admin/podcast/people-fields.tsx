import { SelectField } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { Person } from "#worker/episodes/contract.ts";
import { Repeated } from "./repeated.tsx";

/** Roles of the podcast taxonomy's cast group that a conversation has. */
const roles = ["host", "co-host", "guest host", "guest"];

type Props = { people: Person[]; error?: string; help: string };

export function PeopleFields({ people, error, help }: Props) {
  return (
    <Repeated
      legend="People"
      noun="person"
      add="Add a person"
      help={help}
      error={error}
      initial={people}
      empty={{ name: "", role: "guest", group: "cast", href: null }}
    >
      {(person) => (
        <>
          <input type="hidden" name="people.group" value={person.group} />
          <TextField label="Name" name="people.name" maxLength={128} defaultValue={person.name} />
          <SelectField label="Role" name="people.role" defaultValue={person.role}>
            {(roles.includes(person.role) ? roles : [...roles, person.role]).map((role) => (
              <option key={role}>{role}</option>
            ))}
          </SelectField>
          <TextField label="Web page" name="people.href" type="url" defaultValue={person.href ?? ""} />
        </>
      )}
    </Repeated>
  );
}
