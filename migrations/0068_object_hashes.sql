CREATE TABLE `object_hashes` (
	`key` text PRIMARY KEY NOT NULL,
	`etag` text NOT NULL,
	`sha256` text NOT NULL,
	`crc32` integer NOT NULL
);
