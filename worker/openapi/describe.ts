import { z } from "zod";
import { scopesOf } from "#worker/access/scopes.ts";
import { components, operations, type Operation } from "#worker/openapi/operations.ts";

type Json = Record<string, unknown>;

/** The operations and schemas of the OpenAPI document, from the schemas with which the commands parse their input. */
export function describeApi() {
  const paths: Record<string, Json> = {};
  for (const [route, operation] of operations) {
    const [method = "", path = ""] = route.split(" ");
    const named = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[named] = { ...paths[named], [method.toLowerCase()]: operationOf(route, operation) };
  }
  const schemas: Json = { Error: ERROR };
  for (const [name, schema] of Object.entries(components)) schemas[name] = jsonSchema(schema, "output");
  return { paths, schemas };
}

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        field: { type: "string", description: "The input that the message is about." },
        fields: { type: "object", additionalProperties: { type: "string" } },
        requestId: { type: "string" },
      },
    },
  },
};

function operationOf(route: string, { summary, query, body, answer, status = 200 }: Operation): Json {
  const isOwners = route.includes(" /api/admin/");
  const scopes = scopesOf(route);
  const error = { $ref: "#/components/responses/Error" };
  return {
    operationId: idOf(route),
    summary,
    tags: [isOwners ? "Owner" : "Public"],
    // A token of HTTP has no scopes in OpenAPI 3.0; 3.1 allows their names here.
    security: isOwners ? [{ token: scopes }] : [{}, { token: scopes }],
    ...(isOwners && { description: `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.` }),
    parameters: [...pathParameters(route), ...queryParameters(query)],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      [status]: {
        description: "Done",
        ...(answer !== "none" && { content: { "application/json": { schema: answerSchema(answer) } } }),
      },
      "4XX": error,
      "5XX": error,
    },
  };
}

/** `patchArticlesById`. */
function idOf(route: string) {
  const [method = "", path = ""] = route.split(" ");
  const isPublic = !path.startsWith("/api/admin/");
  const words = path
    .replace(/^\/api(?:\/admin)?\//, "")
    .replaceAll(/:(\w+)/g, "by-$1")
    .split(/[/-]/);
  const named = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `${method.toLowerCase()}${isPublic ? "Public" : ""}${named}`;
}

const pathParameters = (route: string) =>
  [...route.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: isNumber(route, name) ? { type: "integer", minimum: 1 } : { type: "string" },
  }));

/** Files and subscribers have ids of characters. */
const isNumber = (route: string, name: string) =>
  name === "number" || (name === "id" && !/\/(?:files|subscribers)\//.test(route));

function queryParameters(query: z.ZodObject | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

const contentOf = (body: z.ZodType | "bytes") =>
  body === "bytes"
    ? { "application/octet-stream": { schema: {} } }
    : { "application/json": { schema: jsonSchema(body, "input") } };

function answerSchema(answer: Operation["answer"]) {
  const [name] = Object.entries(components).find(([, schema]) => schema === answer) ?? [];
  return name ? { $ref: `#/components/schemas/${name}` } : { type: "object", additionalProperties: true };
}

/** What a check beyond JSON Schema refuses is left out: the answer to a request names it. */
function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
