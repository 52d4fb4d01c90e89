CREATE TABLE `webhook_secrets` (
	`webhook_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`former` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `webhook_tries` (
	`delivery_id` text PRIMARY KEY NOT NULL,
	`webhook_id` integer NOT NULL,
	`count` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`response` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_tries_at` ON `webhook_tries` (`at`);--> statement-breakpoint
CREATE INDEX `webhook_tries_webhook` ON `webhook_tries` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`description` text NOT NULL,
	`events` text NOT NULL,
	`paused` text,
	`failed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_url` ON `webhooks` (`url`);--> statement-breakpoint
CREATE INDEX `outbox_by_webhook` ON `outbox` (payload ->> 'webhook',`created_at`) WHERE payload ->> 'webhook' is not null;