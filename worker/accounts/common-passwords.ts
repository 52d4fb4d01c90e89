/**
 * The most common leaked passwords, without digits and signs at either end: the first 2,000 such words in the
 * dictionary of zxcvbn-ts (MIT, from the "10 million passwords" list), and a few additions.
 */
const COMMON = `
01011980 01011990 01012000 01012010 01012011 1029384756 111222333 11223344 1122334455 11235813 1123581321
12312312 1232323q 123321123 12344321 123454321 1234554321 12345678 123456789 1234567890 12345678910
123456789a 123456789q 1234567a 1234abcd 1234qwer 123654789 12369874 123698745 123qwe123 147258369
147852369 14789632 147896325 192837465 31415926 4815162342 741852963 789456123 a1234567 a1b2c a1b2c3d
a2b3c a2b3c4d aardvark aaron abcd1234 abcdefgh abgrtyu abigail access accord action adgjmptw adidas admin
administrator adrian africa airborne airforce airplane alabama alaska albert alberto alejandr aleksandr
alexande alexander alexandr alexandra alexis alfred alicia aliens alison allen allison alpha alpine always
alyssa amadeus amanda amateur amber america american anakin analsex anastasia anderson andre andrea
andreas andrei andrew andrey angel angela angelica angelina angelo angels animal annie anthony anton
antonio anubis anything apache apollo apple apples april aragorn archer archie arizona arnold arsenal
arthur artist asdf1234 asdfg asdfgh asdfghj asdfghjk asdfghjkl asdzxc ashley ashton assassin asshole
assman asterix athena atlanta atlantis auburn audrey august aurora austin australia autumn avalon avatar
awesome azerty babes babydoll babygirl babylon badass badboy badger baggins bailey baller balls banana
bananas bandit banshee barbara barbie barcelon barcelona barney baseball basket basketba basketball
bassman bastard batman battle baxter beach beagle beatles beautiful beauty beaver beavis beetle bender
benjamin benson bentley berlin bernard bernie bertha bianca bigballs bigboobs bigboy bigcock bigdaddy
bigdick bigdog bigfoot biggie bigguy bigmac bigman bigone bigred bigtits billy billybob bingo birdie
birthday biscuit bishop bitch bitches biteme black blackcat blackdog blackie blackman blade blades blaster
blazer blessed blink blizzard blonde blondie blood blowjob blowme bluebird blueeyes bluemoon blues bluesky
bobafett bobbie bobby bobcat boeing bollocks bollox bomber bondage bonehead bonjour bonnie boobies boobs
booger boogie boomer booty boston bottom bowling bradley brandi brandon brandy brasil braves brazil brenda
brendan brian brianna bridge brisbane britney brittany bronco broncos brooke brooklyn brooks brother brown
brownie browns bruce bruins bruno brutus bubba bubble bubbles buckeye buckeyes buddha buddy budlight
buffalo buffett buffy bugger bulldog bulldogs bullet bullshit bunny burger burton business buster butler
butter butterfl butterfly butthead buttons byteme cactus cadillac caesar californ callie calvin camaro
camera cameron camille campbell canada cancer candy cannon cantona capital captain cardinal carlo carlos
carmen carolina caroline carpet carrie carrot carson carter cartman caserta casey casino casper cassidy
cassie castle catalina catch catdog catfish cavalier cdtnkfyf celeste celica celtic cessna champion chance
chandler change changeme chaos charger chargers charles charlie charlott charly check cheese chelsea
cherokee cherry cheryl chester chevelle chevy cheyenne chicago chicken chicks chiefs chipper chloe
chocolat chopper chris chrissy christ christia christian christin christine christop christy chronic
chubby chuck chucky cindy cjkysirj cjkywt claire classic claude claudia clayton clifford clinton clover
cobra cocacola coffee colleen college collins colombia colorado colors coltrane columbia compaq computer
concrete condor connect connie connor consumer control cookie cookies cooldude cooler coolio cooper copper
corona corvette cosmos cotton cougar country courtney cowboy cowboys coyote cracker crazy cream creative
cricket crimson cristina crusader crystal cthutq cumming cumshot curious curtis cynthia daddy dagger daisy
dakota dallas damian damien dancer danger daniel daniela danielle danni danny darkness darkside darkstar
darren darwin david daytona dbrnjhbz death debbie december default defender deftones delete delta denis
denise dennis denver derrick design desire destiny detroit devil devildog devils dexter dfvgbh diablo
diamond diamonds diana dickhead diesel dietcoke digger digital dilbert dillon dingdong director dirty
discover disney dixie dkflbvbh doctor dodge dodger dodgeram dodgers doggie doggy dollar dolphin dolphins
dominic domino donald donkey doodle dookie dorothy douglas dragon dragons dream dreamer dreams driver
drizzt drowssap drpepper drummer dublin ducati dudley dumbass duncan dustin dusty eagle eagles eatme
eatshit eclipse eddie edward einstein ekaterina elaine electric element elena elephant elizabet elizabeth
elliott elvis elwood emerald emily eminem empire energy engine engineer england english enigma enjoy enter
enterpri erotic escort eternity eugene evelyn everton exigen explorer express extreme faith falcon family
fantasy farmer faster fatboy fatcat father felix fender fernando ferrari ferret fetish ficken fighter
finger finish fireball firebird firefly fireman fisher fishing fktrcfylh fktrctq flames flash flatron
flight flipper florence florida flower flowers fluffy flyers foobar football forest forever forget formula
fossil foster foxtrot france frances francis frank frankie franklin freak freaky freddie freddy freedom
freeman freepass freeuser french friday friend friends froggy frosty fuck_inside fucked fucker fuckface
fucking fuckit fuckme fuckoff fuckyou funtime fusion future fyfcnfcbz fylhtq gabriel galaxy galina galore
gambit gandalf gangsta gangster garbage garcia garden garfield garrett gateway gators geheim gemini
general genesis genius george georgia gerald gerard german germany geronimo getsome gfhjkm ghbdtn ghbdtnbr
ghjcnj ghost giants gibson gilbert gillian ginger giovanni girls gizmo global gloria gn56gn goblin goblue
goddess godzilla goforit goldberg golden goldfish goldie golfer golfing goober goodluck google gordon
gorilla gotcha gothic grace gracie graham grateful great green greenday gregory gremlin grendel griffey
griffin grizzly groovy guardian guinness guitar gundam gunner hacker halflife hamilton hamlet hammer
hamster hannah hannibal hansolo happy hardcore hardon harley harmony harold harris harrison harry harvey
hawaii hawkeye hearts heather heaven hector helena hellfire hello helpme hendrix henry hentai herbert
hercules herman hershey hesoyam highland hiphop history hitman hjvfirf hobbes hobbit hockey holden holiday
holland holly hollywoo holmes homer honda honey hongkong hooker hooters hoover hornet horney horny horse
horses hotboy hotdog hotrod hotsex hotstuff hottie house houston howard hummer hunter hunting huskers
ibanez icecream iceman ilovesex iloveu iloveyou imagine immortal impala imperial incubus indian indiana
indians indigo infantry inferno infinity insane inside integra internet intrepid ireland irina irish
ironman isabel isabella isabelle island italia iverson iwantu jackass jackie jackoff jackson jacob jaguar
jamaica james jamie janice janine january japan jasmin jasmine jason jasper jeffrey jennifer jenny jeremy
jericho jerome jerry jersey jessica jessie jester jesus jimbo jimbob jimmy joanna joanne johnny johnson
joker jonathan jones jordan joseph joshua juice julia julian julie jumper jungle junior jupiter justice
justin justme juventus kaiser kangaroo kansas karate karen karina katana katerina kathleen katie katrina
kawasaki keeper kelly kelsey kennedy kenneth kenny kenwood kermit kevin keyboard killer kimberly kingdom
kingkong kingston kirill kissme kitkat kitten kitty kittycat klaster knicks knight knights kodiak kolobok
kramer kristen kristin kristina lacrosse ladies ladybug lakers lancer larisa larry lasvegas latino laura
lauren lawrence lawyer leather ledzep legend legion legolas lennon leonard leonardo lesbian leslie lestat
lester letmein lexmark liberty licker lickme lifehack light lights lincoln linda lindsay lindsey liquid
little liverpoo liverpool lizard lizzie lobster logan login logitech lolita lollipop london lonestar
lonewolf longhorn looking lorenzo lorraine loser louise lovely loveme lover loverboy lovers loveyou loving
lowrider lucas lucifer lucky luther lvbnhbq machine maddie maddog madison madman madmax madness madonna
madrid maestro maggie magic magnolia magnum maiden mailcreated makaveli maksim malcolm malibu mallard
manager manchester maniac manson manuel manutd marathon marcel marco marcus margaret maria mariah marie
marina marine marines marino mario marion markus marlboro marley marlin marshall martha martin martina
martinez martini marvin maryjane master masters matrix matthew mature maurice maverick maxima maximus
maxine maxwell megadeth megaman megan melanie melbourne melinda melissa melvin member memphis mercedes
mercury meridian merlin mersedes metallic metallica mexico miami michael michel michele michelle michigan
mickey microsoft midnight miguel mikey milano miller millie million milton minecraft minnie mirage miranda
mission missy mister mistress misty mitchell mobile mollie molly molson monday money mongoose monica
monika monique monitor monkey monkeys monroe monster montana montreal mookie moose morgan morpheus morris
morrison moscow mother motorola mountain mouse movie mozart muffin mulder munchkin murphy murray muscle
mushroom music musicman mustang mustangs mylove mystery nadine naked napoleon naruto nascar nasty nastya
natali natalia natalie natasha nathan national naughty ncc1701d ncc1701e nelson nemesis neptune network
newlife newman newpass newport newton newyork nfnmzyf nicholas nicola nicolas nicole nigger nikita nikki
nimrod niners ninja nintendo nipple nipples nirvana nissan nolimit nookie norman norton nothing november
nugget nuttertools nylons nymets oakland obiwan oblivion october office oksana oldman oliver olivia omega
onelove online openup oracle orange orion orlando oscar osiris outlaw overlord oxford pacific packard
packers pakistan paladin palmer pamela panama panasonic pandora pantera panther panthers panties panzer
paradise paradox paris parker parrot party pascal passat passion passport passw0rd passwor password
patches patricia patrick patriot patriots patton pavilion peace peaches peanut peanuts pearljam pebbles
peekaboo peewee pegasus pencil penelope penguin penguins penis penny pentium people pepper pepsi perfect
personal pervert peter peterpan phantom philip philips phillip philly phoebe phoenix photos phpbb picard
picasso pickle pickles pierre piglet pikachu pimpin pioneer pirate pirates pitbull pizza planet plastic
platinum playboy player playtime please pleasure poison pokemon polaris police polina pontiac poohbear
pookie pooper poopie popcorn popeye porno pornstar porsche porter portland portugal postal potato potter
powder power powers precious predator prelude presario preston pretty prince princes princess printer
private privet prodigy psycho pumpkin punisher punkrock purple pussies pussy pussycat pussys pyramid
python q1w2e q1w2e3r q1w2e3r4t q1w2e3r4t5y q2w3e q2w3e4r q2w3e4r5t q2w3e4r5t6y qawsed qaz2wsx qaz2wsx3edc
qazwsx qazwsxed qazwsxedc qazxsw qazxswedc quality qwaszx qweasd qweasdzxc qwer1234 qwerasdf qwert qwerty
qwertyu qwertyui qwertyuiop rabbit racecar racerx rachel racing ragnarok raider raiders rainbow raistlin
rammstein random randy ranger rangers raptor rascal rasdzv raven ravens raymond reaper rebecca rebels
reddog redhead redman redneck redrum redskins redsox redwings reggie regina remember renegade rescue
review rfrfirf rhbcnbyf ricardo richard richie richmond ripper rjntyjr robbie robert roberto roberts robin
robinson rocker rocket rockon rocks rockstar rocky rodney roger roland rolltide roman romeo rommel ronald
ronaldo ronnie rooster roscoe rosebud roxanne rubber rulez runner rush2112 ruslan russell russia rusty
sabine sabrina sadie safety sailing sailor saints sakura sally salmon samantha sammie sammy sampson samson
samsung samuel samurai sandiego sandman sandra sandy santiago sarah sasha satan saturn savage savannah
scarface scarlet scarlett school scooby scoobydo scooter scorpio scorpion scotland scott scotty scruffy
scully search seattle sebastia sebastian secret security seinfeld seminole semperfi septembe serega serena
serenity sergei sergey sergio server service sesame seven sex4me sexual shadow shaggy shalom shaman
shamrock shaney shannon shark sharks sharon shasta shaved shazam sheena sheila shelby shelly shemale
sherlock sherman sherry shiloh shirley shithead shogun shooter short shorty shotgun showme showtime sidney
siemens sierra silver silvia simon simone simple simpson simpsons singer single sinner sirius sister
sithlord skater skeeter skipper skippy skittles skyline skywalke slapshot slayer sleepy slick slipknot
sluts smile smiles smiley smith smitty smoke smoker smokey smooth snake snakes snapper snatch snickers
sniper snoopy snowball snowman sobaka soccer socrates softball software soldier solomon sommer sooners
sophia sophie soso123aljg spanking spanky sparky spartak spartan special speed speedy spencer spider
spiderma spiderman spike spirit spitfire spooky sports spring springer sprint sprite spunky spyder
squirrel squirt srinivas stacey stalker stallion standard stanley starcraft stardust stargate stars
startrek starwars stealth steelers stefan stella stephani stephen sterling steve steven stevie stewart
sticky stimpy stinger stingray stinky stocking stone stonecol stones storm stormy stranger street strider
strike stuart student stupid subaru sublime success sucker suckit suckme sucks sugar summer sundance
sunday sunny sunrise sunset sunshine super superfly superman support surfer surfing susan suzanne suzuki
svetlana swallow sweet sweetie sweetpea sweets sweety swimming swinger swordfis swordfish sydney sylvia
system tacobell tacoma tamara tanker tanner tardis target tarheel tarheels tarzan tattoo taurus taylor
tazman teacher techno teddy teens tempest tennis tequila teresa terry tester testing texas thailand thanks
thegame theman theone therock thomas thompson thuglife thumper thunder tickle tiffany tiger tigers tigger
timber timothy tinker titanic titans titleist tomcat tommy topgun topper tornado toronto toshiba tottenha
toyota tracey trains trance transam travel travis trebor trevor trfnthbyf trigger trinity tristan triumph
trixie trojan trombone trooper trouble truck trucker trucks trumpet trunks trustno tucker turbo turkey
turner turtle tweety twilight twister tyler ultimate unicorn united unreal usuckballz vacation vagina
valentin valentina valera valerie vampire vanessa vanhalen vegeta velvet verbatim veronica veronika
vertigo vfhbyf vfhecz vfrcbv vfvjxrf victor victoria victory video viking vikings viktor vincent violet
viper virgin virginia vision vladimir volume voodoo voyager walker wallace walnut walter wanker warcraft
warlock warren warrior warriors water waterloo waters watson weasel webster weezer welcome werewolf wesley
western westham westside wetpussy whatever wheels whiskey white whitney whore whynot wicked wildcat
wildcats william williams willie willow wilson window windows winner winnie winston winter wisdom wizard
wolfgang wolfman wolfpack wolverin wolverine wolves wombat women wonder woody wookie wordpass world
wrangler wright wrinkle wutang xanadu xavier xfiles yamaha yankee yankees ybrbnf yellow yfnfif yomama
young yourmom yvonne zachary zaq12wsx zaq1xsw zaqwsx zeppelin zipper zombie zxcv1234 zxcvbn zxcvbnm
`;
const words = () => (read ??= new Set(COMMON.trim().split(/\s+/)));
let read: Set<string> | undefined;

/** Whether a password is among the first guesses for this account. */
export function isCommonPassword(password: string, { email }: { email: string }) {
  const typed = password.normalize("NFKC").toLowerCase();
  const [mailbox = ""] = email.split("@");
  return (
    [typed, core(typed), unmasked(typed)].some((text) => words().has(text)) ||
    [email, mailbox].some((own) => typed === own || (core(own) !== "" && core(typed) === core(own))) ||
    REPEATED.test(typed) ||
    isSequence(typed)
  );
}

/** Up to four characters again and again: aaaaaaaa, abcabcabc. */
const REPEATED = /^(.{1,4})\1+$/;

const core = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, "");

/** With common substitutions undone: p@ssw0rd1 is password. */
const unmasked = (text: string) =>
  text.replace(/[^a-z]+$/, "").replaceAll(/[@4301$57!]/g, (sign) => LETTERS[sign] ?? sign);
const LETTERS: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "0": "o",
  "1": "i",
  $: "s",
  "5": "s",
  "7": "t",
  "!": "i",
};

/** 12345678, hgfedcba: each character beside the one before it. */
function isSequence(text: string) {
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
