declare module "opencc-js/dict/TSCharacters" {
  /** Traditional characters and their simplified ones, as `漢 汉|…`. */
  const characters: string;
  export default characters;
}
