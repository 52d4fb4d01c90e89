/** A file of this folder as the text of an inline script (`scripts/inline-scripts.ts`). */
declare module "inline:*" {
  const script: string;
  export default script;
}
