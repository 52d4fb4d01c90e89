export { readFavorites, setFavorite } from "./favorites.ts";
