const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/;

/** Whether an address is one of this machine, where a site is tried out. */
export const isLocal = (url: string) => LOCAL.test(new URL(url).hostname);
