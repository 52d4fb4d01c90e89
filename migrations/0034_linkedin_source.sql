-- Articles that were made by hand of one post: the first keeps its address, those after it get one that leads there as well.
UPDATE `articles` SET `source_url` = `source_url` || '#' || `id`
WHERE `source` = 'linkedin' AND `source_url` IS NOT NULL AND `id` NOT IN (
  SELECT min(`id`) FROM `articles` WHERE `source` = 'linkedin' GROUP BY `source_url`
);--> statement-breakpoint
CREATE UNIQUE INDEX `articles_linkedin_source` ON `articles` (`source_url`) WHERE source = 'linkedin';
