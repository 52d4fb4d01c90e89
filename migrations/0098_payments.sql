CREATE TABLE `payment_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`outcome` text NOT NULL,
	`message` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_notices_outcome` ON `payment_notices` (`outcome`,`received_at`);--> statement-breakpoint
CREATE TABLE `payment_setup` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`is_live` integer NOT NULL,
	`compares_from` integer,
	`comparison_at` integer,
	`compared_to` text,
	`compared_at` integer,
	`problem` text
);
--> statement-breakpoint
CREATE TABLE `payment_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`customer` text NOT NULL,
	`member_id` integer,
	`tier_id` integer,
	`status` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer,
	`version` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`tier_id`) REFERENCES `tiers`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `payment_subscriptions_member` ON `payment_subscriptions` (`member_id`);--> statement-breakpoint
CREATE TABLE `tier_prices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tier_id` integer NOT NULL,
	`price` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`interval` text NOT NULL,
	FOREIGN KEY (`tier_id`) REFERENCES `tiers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tier_prices_price_unique` ON `tier_prices` (`price`);--> statement-breakpoint
CREATE INDEX `tier_prices_tier` ON `tier_prices` (`tier_id`);