CREATE TABLE `replaced_files` (
	`file_id` text PRIMARY KEY NOT NULL,
	`successor_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `replaced_files_by_successor` ON `replaced_files` (`successor_id`);