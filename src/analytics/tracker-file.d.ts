/** The address of the tracker (`scripts/tracker-file.ts`). */
declare module "virtual:tracker-file" {
  const address: string;
  export default address;
}
