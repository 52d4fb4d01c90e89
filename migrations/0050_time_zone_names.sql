-- Time zones that were stored by a name which Intl lists and which is no longer theirs (CLDR 48).
UPDATE `settings` SET `site` = json_set(`site`, '$.timeZone', `renamed`.`current`)
FROM (
	SELECT column1 AS `former`, column2 AS `current` FROM (VALUES
		('Africa/Asmera', 'Africa/Asmara'),
		('America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'),
		('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
		('America/Catamarca', 'America/Argentina/Catamarca'),
		('America/Coral_Harbour', 'America/Atikokan'),
		('America/Cordoba', 'America/Argentina/Cordoba'),
		('America/Fort_Wayne', 'America/Indiana/Indianapolis'),
		('America/Godthab', 'America/Nuuk'),
		('America/Indianapolis', 'America/Indiana/Indianapolis'),
		('America/Jujuy', 'America/Argentina/Jujuy'),
		('America/Louisville', 'America/Kentucky/Louisville'),
		('America/Mendoza', 'America/Argentina/Mendoza'),
		('America/Rosario', 'America/Argentina/Cordoba'),
		('Asia/Calcutta', 'Asia/Kolkata'),
		('Asia/Katmandu', 'Asia/Kathmandu'),
		('Asia/Rangoon', 'Asia/Yangon'),
		('Asia/Saigon', 'Asia/Ho_Chi_Minh'),
		('Atlantic/Faeroe', 'Atlantic/Faroe'),
		('Europe/Kiev', 'Europe/Kyiv'),
		('Europe/Uzhgorod', 'Europe/Kyiv'),
		('Europe/Zaporozhye', 'Europe/Kyiv'),
		('Pacific/Enderbury', 'Pacific/Kanton'),
		('Pacific/Ponape', 'Pacific/Pohnpei'),
		('Pacific/Truk', 'Pacific/Chuuk'),
		('Pacific/Yap', 'Pacific/Chuuk'),
		('US/East-Indiana', 'America/Indiana/Indianapolis')
	)
) AS `renamed`
WHERE json_extract(`site`, '$.timeZone') = `renamed`.`former`;
