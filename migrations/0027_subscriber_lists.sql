DROP INDEX `subscribers_unconfirmed`;--> statement-breakpoint
DROP INDEX `subscribers_newest`;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `state` text GENERATED ALWAYS AS (case when status <> 'active' then status when verified_at is null then 'pending' else 'confirmed' end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `subscribers_by_state` ON `subscribers` (`state`,`subscribed_at`);--> statement-breakpoint
CREATE INDEX `subscribers_by_source_and_state` ON `subscribers` (`source`,`state`,`subscribed_at`);--> statement-breakpoint
CREATE INDEX `subscribers_paused` ON `subscribers` (`state`,`subscribed_at`) WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX `subscribers_newest` ON `subscribers` (`subscribed_at`);