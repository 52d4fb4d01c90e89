CREATE TABLE `render_passes` (
	`noun` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`after` integer
);
