import { text } from "node:stream/consumers";
import { HtmlValidate } from "html-validate";
import type { TestProject } from "vitest/node";
import { htmlRules } from "./html-rules.ts";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port that the validator listens on. */
    htmlValidator: number;
  }
}

/** Answers a page's HTML with what is wrong with it: the validator compiles its rules, which workerd forbids. */
export default async function start(project: TestProject) {
  const validator = new HtmlValidate(htmlRules);
  const { port, stop } = await startHttpServer(async (request, response) => {
    const { results } = await validator.validateString(await text(request));
    const mistakes = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    );
    response.end(JSON.stringify(mistakes));
  });
  project.provide("htmlValidator", port);
  return stop;
}
