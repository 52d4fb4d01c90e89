const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/;

/** Whether an address is on this machine, as in development. */
export const isLocal = (url: string) => LOCAL.test(new URL(url).hostname);
