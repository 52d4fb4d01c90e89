/** Of an item that cannot be read; its message says why. */
export class Unreadable extends Error {}
