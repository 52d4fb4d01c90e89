ALTER TABLE `ended_sessions` ADD `former_through` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ended_sessions` ADD `ended_through` integer DEFAULT 0 NOT NULL;