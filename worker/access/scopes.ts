import type { Scope } from "#worker/access/contract.ts";
import { api } from "#worker/addresses.ts";

/** Paths below /api/admin. What visitors see changes immediately: this takes `publish`, too. */
const admin: Record<string, readonly Scope[]> = {
  "GET /articles": ["drafts:read"],
  "GET /articles/:id": ["drafts:read"],
  "POST /articles": ["articles:write"],
  "PATCH /articles/:id": ["articles:write"],
  "DELETE /articles/:id": ["articles:write", "publish"],
  "POST /articles/preview": ["articles:write"],
  "GET /categories": ["drafts:read"],
  "POST /categories": ["articles:write"],
  "PATCH /categories/:id": ["articles:write", "publish"],
  "DELETE /categories/:id": ["articles:write", "publish"],

  "GET /episodes": ["drafts:read"],
  "GET /episodes/:id": ["drafts:read"],
  "POST /episodes": ["episodes:write"],
  "PATCH /episodes/:id": ["episodes:write"],
  "DELETE /episodes/:id": ["episodes:write", "publish"],
  "POST /episodes/:id/duplicate": ["episodes:write"],
  "POST /episodes/check": ["episodes:write"],
  "POST /episodes/preview": ["episodes:write"],
  "POST /episodes/check-transcript": ["episodes:write"],
  "GET /show": ["drafts:read"],
  "PUT /show": ["episodes:write", "publish"],

  "GET /files": ["drafts:read"],
  "GET /files/:id": ["drafts:read"],
  "POST /files": ["episodes:write"],
  "PUT /files/:id/parts/:number": ["episodes:write"],
  "POST /files/:id/complete": ["episodes:write"],
  "PATCH /files/:id": ["episodes:write", "publish"],
  "DELETE /files/:id": ["episodes:write", "publish"],

  "GET /newsletters": ["letters:write"],
  "POST /newsletters": ["letters:write"],
  "GET /newsletters/:id": ["letters:write"],
  "PATCH /newsletters/:id": ["letters:write"],
  "POST /newsletters/preview": ["letters:write"],
  "POST /newsletters/recipients": ["letters:write"],
  "POST /newsletters/:id/check": ["letters:write"],
  "GET /newsletters/:id/progress": ["letters:write"],
  "POST /newsletters/:id/send": ["letters:send"],
  "POST /newsletters/:id/unschedule": ["letters:send"],
  "POST /newsletters/:id/pause": ["letters:send"],
  "POST /newsletters/:id/resume": ["letters:send"],
  "POST /newsletters/:id/cancel": ["letters:send"],

  "GET /subscribers": ["subscribers"],
  "POST /subscribers": ["subscribers"],
  "GET /subscribers/:id": ["subscribers"],
  "PATCH /subscribers/:id": ["subscribers"],

  "GET /guest-applications": ["enquiries"],
  "GET /guest-applications/:id": ["enquiries"],
  "PATCH /guest-applications/:id": ["enquiries"],
  "GET /contact-messages": ["enquiries"],
  "GET /contact-messages/:id": ["enquiries"],
  "PATCH /contact-messages/:id": ["enquiries"],
  "GET /speaking-bookings": ["enquiries"],
  "GET /speaking-bookings/:id": ["enquiries"],
  "PATCH /speaking-bookings/:id": ["enquiries"],

  "GET /analytics": ["figures"],
  "GET /analytics/episodes/:id": ["figures"],
};

/** The scopes that a token needs for each route, all of them. A route that is not here is not for tokens. */
export const routeScopes: ReadonlyMap<string, readonly Scope[]> = new Map([
  ...Object.keys(api).map((path) => [`GET ${path}`, ["public:read"]] as const),
  ...Object.entries(admin).map(([route, scopes]) => [route.replace(" ", " /api/admin"), scopes] as const),
]);

/** `route`: its method and path pattern, such as `PATCH /api/admin/articles/:id`. None: it is not for tokens. */
export const scopesOf = (route: string): readonly Scope[] => routeScopes.get(route) ?? [];

/** Routes for every token: the API's description, and the protocol whose tools ask for their own scopes. */
const anyToken = new Set(["GET /api/openapi.json", "GET /api/docs", "POST /api/mcp"]);

export const isForAnyToken = (route: string) => anyToken.has(route);
