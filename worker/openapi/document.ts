import { SCOPES } from "#worker/access/contract.ts";
import type { describeApi } from "#worker/openapi/describe.ts";

/** What no setting changes. */
export type ApiDescription = ReturnType<typeof describeApi>;

/** The OpenAPI 3.1 document of the public API, and of the routes that tokens reach. `site` is the public origin. */
export function openApiDocument(site: string, siteName: string, { paths, schemas }: ApiDescription) {
  return {
    openapi: "3.1.1",
    info: {
      title: `The API of ${siteName}`,
      version: "1",
      description:
        "Times are milliseconds UTC. A list is `{ items, next }`; `next` is the cursor of the next page, or null.",
      license: { name: "None stated", identifier: "LicenseRef-none" },
    },
    servers: [{ url: site }],
    tags: [
      { name: "Public", description: "What visitors see. Needs no token." },
      { name: "Owner", description: "Needs a token with the scopes of the operation." },
    ],
    paths,
    components: {
      schemas,
      responses: {
        Error: {
          description: "The request was refused. `message` is for people.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "rostrum_…",
          description: `Made under Settings → Programs. Scopes: ${SCOPES.join(", ")}.`,
        },
      },
    },
  };
}
