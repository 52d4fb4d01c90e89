/** What `describeApi` returns: computed when the Worker is built (`scripts/described-api.ts`). */
declare module "virtual:described-api" {
  import type { ApiDescription } from "#worker/openapi/document.ts";
  const description: ApiDescription;
  export default description;
}
