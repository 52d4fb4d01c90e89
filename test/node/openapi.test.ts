import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { describeApi } from "#worker/openapi/describe.ts";
import { openApiDocument } from "#worker/openapi/document.ts";

// Not in workerd: the validator compiles its schemas to code.
it("the document of the API is valid by the schema of OpenAPI 3.1", async () => {
  const validator = new Validator();
  const document = JSON.parse(
    JSON.stringify(openApiDocument("https://example.com", "A site", describeApi())),
  ) as Record<string, unknown>;
  const { valid, errors } = await validator.validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
  const { paths } = document as { paths: Record<string, Record<string, unknown>> };
  expect(Object.keys(paths).length).toBeGreaterThan(30);
});
