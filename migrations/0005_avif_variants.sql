ALTER TABLE `files` ADD `avif_variants` text;--> statement-breakpoint
INSERT INTO `outbox` (`id`, `topic`, `payload`, `created_at`, `not_before`)
SELECT 'avif-' || `id`, 'picture', json_object('fileId', `id`), unixepoch() * 1000, unixepoch() * 1000
FROM `files` WHERE `variants` IS NOT NULL;
