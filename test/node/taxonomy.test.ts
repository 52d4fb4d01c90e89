import * as partytime from "podcast-partytime/dist/parser/person-enum.js";
import { expect, test } from "vitest";
import { NewEpisode, Person } from "#worker/episodes/contract.ts";
import { personRoles } from "#worker/episodes/taxonomy.ts";

test("groups and roles of people are those that podcast apps know", () => {
  const named = (values: Record<string, string>) =>
    Object.values(values)
      .map((value) => value.toLowerCase())
      .toSorted();
  expect(Object.keys(personRoles).toSorted()).toEqual(named(partytime.PersonGroup));
  expect([...new Set(Object.values(personRoles).flat())].toSorted()).toEqual(named(partytime.PersonRole));
});

test("a person is host by default, and cases make no difference", () => {
  const farida = { name: "Farida", href: null };
  expect(Person.parse({ name: "Farida" })).toEqual({ ...farida, role: "host", group: "cast" });
  const drawn = Person.parse({ name: "Farida", role: "Cover Art Designer", group: " Visuals" });
  expect(drawn).toEqual({ ...farida, role: "cover art designer", group: "visuals" });
});

test.each([
  [{ role: "boss" }, "people.0.role", "Choose a role in the group cast."],
  [{ role: "editor" }, "people.0.role", "Choose a role in the group cast."],
  [{ role: "host", group: "constructor" }, "people.0.group", "Choose a group of the podcast taxonomy."],
  [{ role: "" }, "people.0.role", "Choose a role in the group cast."],
])("%o is refused beside its field", (credit, field, message) => {
  const { error } = NewEpisode.safeParse({ title: "A title", people: [{ name: "Farida", ...credit }] });
  expect(error?.issues).toMatchObject([
    { path: field.split(".").map((key) => (key === "0" ? 0 : key)), message },
  ]);
});
