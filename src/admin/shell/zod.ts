import { config } from "zod/v4";

/**
 * What `zod` means in the site's bundles (`vite.config.ts`). Zod would try out `new Function` before it compiles a schema;
 * the content policy refuses that, and Firefox reports the refusal as an error of each page.
 */
config({ jitless: true });

export { z } from "zod/v4";
