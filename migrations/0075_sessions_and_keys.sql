CREATE TABLE `ended_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ended_sessions_user` ON `ended_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `ended_sessions_expired` ON `ended_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `others_ended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `remaining_session` text;--> statement-breakpoint
ALTER TABLE `signing_keys` ADD `kid` text DEFAULT 'legacy' NOT NULL;--> statement-breakpoint
ALTER TABLE `signing_keys` ADD `use` text DEFAULT 'lasting' NOT NULL;--> statement-breakpoint
ALTER TABLE `signing_keys` ADD `created_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_kid` ON `signing_keys` (`kid`);--> statement-breakpoint
UPDATE signing_keys SET created_at = unixepoch() * 1000;
