CREATE TABLE `left_out_refusals` (
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`kind`, `email`, `hour`)
);
--> statement-breakpoint
CREATE TABLE `log_alerts` (
	`kind` text PRIMARY KEY NOT NULL,
	`through_id` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE TABLE `log_chain` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_id` integer NOT NULL,
	`last_hash` text NOT NULL,
	`pruned_id` integer NOT NULL,
	`pruned_hash` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `security_events` ADD `salt` text;--> statement-breakpoint
ALTER TABLE `security_events` ADD `personal_hash` text;--> statement-breakpoint
ALTER TABLE `security_events` ADD `hash` text;--> statement-breakpoint
CREATE INDEX `security_events_kind` ON `security_events` (`kind`,`at`);