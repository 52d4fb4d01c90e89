/** In an address, in place of the id of an item that is not saved yet. */
export const NEW = "new";
