/** A file of this folder as the text of a script for a page (`scripts/inline-scripts.ts`). */
declare module "inline:*" {
  const script: string;
  export default script;
}
