CREATE TABLE `member_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `member_passkeys_credential` ON `member_passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `member_passkeys_by_member` ON `member_passkeys` (`member_id`);