CREATE TABLE `backup_files` (
	`key` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`etag` text NOT NULL,
	`first_copy` integer NOT NULL,
	`gone_copy` integer
);
--> statement-breakpoint
CREATE INDEX `backup_files_gone` ON `backup_files` (`gone_copy`) WHERE gone_copy is not null;--> statement-breakpoint
CREATE TABLE `backup_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`copy` text,
	`state` text NOT NULL,
	`problem` text,
	`claim` text,
	`not_before` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`stage` text NOT NULL,
	`position` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `backup_runs_open` ON `backup_runs` (`kind`) WHERE state in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX `backup_runs_by_kind` ON `backup_runs` (`kind`,`state`,`id`);