CREATE TABLE `log_checks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`begun_at` integer NOT NULL,
	`after` integer,
	`checked` integer NOT NULL,
	`erased` integer NOT NULL,
	`is_second` integer NOT NULL,
	`finished_at` integer,
	`fault_id` integer,
	`fault_is` text
);
--> statement-breakpoint
ALTER TABLE `ended_sessions` ADD `proved_at` integer;