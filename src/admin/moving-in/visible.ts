/** Without the characters that no field takes: nobody sees them. */
export const visible = (text: string) =>
  text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}|\p{Noncharacter_Code_Point}|[\u202a-\u202e\u2066-\u2069]/gu, "");
