ALTER TABLE `subscribers` ADD `future_member` text;--> statement-breakpoint
CREATE INDEX `subscribers_future_members` ON `subscribers` (`subscribed_at`) WHERE future_member is not null;