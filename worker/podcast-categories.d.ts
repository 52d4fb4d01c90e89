declare module "podcast-categories" {
  /** Apple's categories, case-sensitive, each with its subcategories as keys. */
  const categories: Record<string, Record<string, true>>;
  export default categories;
}
