/** Removes invisible characters, which the API refuses. */
export const visible = (text: string) =>
  text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}|\p{Noncharacter_Code_Point}|[\u202a-\u202e\u2066-\u2069]/gu, "");
