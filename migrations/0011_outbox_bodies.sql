CREATE TABLE `outbox_bodies` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `outbox` ADD `body_id` text REFERENCES outbox_bodies(id);--> statement-breakpoint
CREATE INDEX `outbox_by_body` ON `outbox` (`body_id`) WHERE body_id is not null;