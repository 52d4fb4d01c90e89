const MB = 1024 * 1024;

/** "28.5 MB"; below a tenth of one, "12 KB". */
export const formatSize = (bytes: number) =>
  bytes < MB / 10 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MB).toFixed(1)} MB`;

/** "about 2 min left". */
export function formatLeft(seconds: number) {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min left`;
}

export const percent = (sent: number, size: number) => Math.floor((sent / size) * 100);
