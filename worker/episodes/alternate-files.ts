import { sql } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";

/** What the feed shows of a further file. */
export type AlternateFile = {
  title: string;
  key: string;
  type: string;
  /** Bytes. */
  size: number;
  seconds: number | null;
  height: number | null;
  /** Hexadecimal; null until it is known. */
  sha256: string | null;
};

/** SQL: the further files of an episode, without those that were deleted. */
export const alternateFiles =
  sql`(select json_group_array(json_object('title', other.value ->> 'title', 'key', file.key,
    'type', file.type, 'size', file.size, 'seconds', file.duration_seconds, 'height', file.height, 'sha256', hash.sha256))
  from json_each(${episodes.alternates}) as other
  inner join files as file on file.key = substr(other.value ->> 'url', ${"/media/".length + 1})
  left join object_hashes as hash on hash.key = file.key)`.mapWith(
    (list: string) => JSON.parse(list) as AlternateFile[],
  );
