import { use, type ComponentProps } from "react";
import { NonceContext } from "./nonce.ts";

/** An inline script that runs before React. Only the server bundle contains its text. */
export const InlineScript = ({ script, ...properties }: { script: string } & ComponentProps<"script">) => (
  <script
    {...properties}
    {...(import.meta.env.SSR && { nonce: use(NonceContext) })}
    suppressHydrationWarning
    dangerouslySetInnerHTML={{ __html: script }}
  />
);
