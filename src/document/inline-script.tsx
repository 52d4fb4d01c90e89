import { use, type ComponentProps } from "react";
import { NonceContext } from "./nonce.ts";

/** A script of the document: it runs before React, and only the server's bundle holds its text. */
export const InlineScript = ({ script, ...properties }: { script: string } & ComponentProps<"script">) => (
  <script
    {...properties}
    {...(import.meta.env.SSR && { nonce: use(NonceContext) })}
    suppressHydrationWarning
    dangerouslySetInnerHTML={{ __html: script }}
  />
);
