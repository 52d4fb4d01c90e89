-- The front page's words become a page like the others, with versions and a preview. Rows without any keep its default.
INSERT INTO `pages` (`slug`, `embedded_file_ids`, `content`, `updated_at`)
SELECT 'home', '[]', json_object('written', json(`home`), 'shown', json(`home`)), `updated_at`
FROM (
	SELECT json_object(
		'headline', coalesce(`site` ->> '$.headline', ''),
		'standfirst', coalesce(`site` ->> '$.standfirst', ''),
		'building', json(coalesce(`site` -> '$.building', '[]')),
		'principles', json(coalesce(`site` -> '$.principles', '[]')),
		'credentials', json(coalesce(`site` -> '$.credentials', '[]'))
	) AS `home`, `updated_at`
	FROM `settings` WHERE `id` = 1
) WHERE true
ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE `settings` SET `site` = json_remove(`site`, '$.headline', '$.standfirst', '$.building', '$.principles', '$.credentials');
