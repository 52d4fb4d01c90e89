import type { Person } from "#worker/episodes/contract.ts";
import { SelectField, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";

/** Roles of the podcast taxonomy's cast group that a conversation has. */
const roles = ["host", "co-host", "guest host", "guest"];

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
