CREATE TABLE `comment_box_counts` (
	`status` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `comment_counts` (
	`content_type` text NOT NULL,
	`content_id` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`content_type`, `content_id`)
);
--> statement-breakpoint
DROP INDEX `comments_shown`;--> statement-breakpoint
ALTER TABLE `comments` ADD `key` text;--> statement-breakpoint
ALTER TABLE `comments` ADD `thread` integer GENERATED ALWAYS AS (coalesce(parent_id, id)) VIRTUAL;--> statement-breakpoint
CREATE UNIQUE INDEX `comments_key` ON `comments` (`key`);--> statement-breakpoint
CREATE INDEX `comments_shown` ON `comments` (`content_type`,`content_id`,`status`,`thread`,`id`);--> statement-breakpoint
-- What was there before the counts: nothing wrote comments yet, but the counts hold whatever did.
INSERT INTO `comment_box_counts` (`status`, `count`) SELECT `status`, count(*) FROM `comments` GROUP BY `status`;
--> statement-breakpoint
INSERT INTO `comment_counts` (`content_type`, `content_id`, `count`)
	SELECT `content_type`, `content_id`, count(*) FROM `comments` WHERE `status` = 'approved' GROUP BY `content_type`, `content_id`;
--> statement-breakpoint
CREATE TRIGGER `comments_counted` AFTER INSERT ON `comments` BEGIN
	INSERT INTO `comment_box_counts` (`status`, `count`) VALUES (new.`status`, 1)
		ON CONFLICT (`status`) DO UPDATE SET `count` = `count` + 1;
	INSERT INTO `comment_counts` (`content_type`, `content_id`, `count`)
		SELECT new.`content_type`, new.`content_id`, 1 WHERE new.`status` = 'approved'
		ON CONFLICT (`content_type`, `content_id`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `comments_uncounted` AFTER DELETE ON `comments` BEGIN
	UPDATE `comment_box_counts` SET `count` = `count` - 1 WHERE `status` = old.`status`;
	UPDATE `comment_counts` SET `count` = `count` - 1
		WHERE old.`status` = 'approved' AND `content_type` = old.`content_type` AND `content_id` = old.`content_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `comments_recounted` AFTER UPDATE OF `status` ON `comments` WHEN new.`status` <> old.`status` BEGIN
	UPDATE `comment_box_counts` SET `count` = `count` - 1 WHERE `status` = old.`status`;
	INSERT INTO `comment_box_counts` (`status`, `count`) VALUES (new.`status`, 1)
		ON CONFLICT (`status`) DO UPDATE SET `count` = `count` + 1;
	UPDATE `comment_counts` SET `count` = `count` - 1
		WHERE old.`status` = 'approved' AND `content_type` = old.`content_type` AND `content_id` = old.`content_id`;
	INSERT INTO `comment_counts` (`content_type`, `content_id`, `count`)
		SELECT new.`content_type`, new.`content_id`, 1 WHERE new.`status` = 'approved'
		ON CONFLICT (`content_type`, `content_id`) DO UPDATE SET `count` = `count` + 1;
END;
