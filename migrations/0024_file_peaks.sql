CREATE TABLE `file_peaks` (
	`id` text PRIMARY KEY NOT NULL,
	`peaks` text NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
