CREATE TABLE `publications` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`went_out_at` integer NOT NULL,
	`is_planned` integer NOT NULL,
	`ping_id` text,
	PRIMARY KEY(`kind`, `item_id`)
);
