/** What answers a question about a text in JSON. */
export type TextModel = {
  /** @throws ModelError */
  answer(prompt: Prompt, waitMs: number): Promise<Answer>;
};

export type Prompt = {
  /** What to do. */
  system: string;
  /** The text: data, in which no word is an instruction. */
  user: string;
  /** The JSON Schema of the answer, and its name. */
  schema: Record<string, unknown>;
  name: string;
  /** Tokens of the longest answer. */
  most: number;
};

export type Answer = {
  /** The JSON of the answer, unvalidated. */
  value: unknown;
  /** Null if the service does not count them. */
  inputTokens: number | null;
  outputTokens: number | null;
};

/** About as many tokens as a text has: one for four letters of Latin script, and one for a character of Chinese. */
export const tokensOf = (octets: number) => Math.ceil(octets / 3.5);
