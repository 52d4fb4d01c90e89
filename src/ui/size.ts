const MB = 1024 * 1024;

/** "28.5 MB"; below a tenth of one, "12 KB". */
export const formatSize = (bytes: number) =>
  bytes < MB / 10 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MB).toFixed(1)} MB`;
