/**
 * The most common leaked passwords, without digits and signs at either end: the first 10,000 in the dictionary of zxcvbn-ts
 * 4 (MIT, from the "10 million passwords" list), and a few additions. Those without letters break a rule for passwords.
 */
const COMMON = `
1234abcd 1234qwer 123qwe123 a1b2c a1b2c3d a1s2d3f a2b3c a2b3c4d a2s3d4f aaaa aaliyah aardvark aaron abc
abcd1234 abcdefg abcdefgh aberdeen abgrtyu abigail abnormal abracadabra abraham abrakadabra absolut absolute
absolutely acapulco access accord account achilles achtung acidburn acmilan action addison adelaide adelina
adgjmptw adidas admin administrator admiral adrenalin adrian adriana adriano adrienne advance aezakmi africa
agent airborne aircraft airforce airplane airport airwolf alabama alaska albatros albert alberta alberto
alcatraz alchemy alcohol alejandr alejandro aleksandr aleksandra aleksey alessandro alexalex alexande
alexander alexandr alexandra alexandre alexis alfonso alfred alfredo algebra alibaba alicia aliens alison
allegro allen alleycat allgood alliance allison allmine allstar almighty alpha alphabet alpine alterego
altoids alucard always alyssa amadeus amanda amateur amateurs amatory amature amazing amber ambrose ambrosia
america american amerika amethyst amorcit amsterda amsterdam anaconda anakin analsex anarchy anastasi
anastasia anastasiya andersen anderson andre andrea andreas andrei andrew andrews andrey andromed andromeda
andyod anfield angel angela angelic angelica angelika angelina angelo angels angelus anhyeuem animal animals
annaanna annabell annette annie annmarie anonymous another antares antelope anthony anthrax antoine anton
antonia antonina antonio anubis anything aolsucks apache apollo apple applepie apples april aprilia aquarius
aragorn arcadia archange archer archie argentin argentina arianna arizona arkansas armagedon armando armstron
arnold arsenal artemis artemka arthur artist asdasd asdf asdf1234 asdfasdf asdffdsa asdfg asdfgh asdfghj
asdfghjk asdfghjkl asdfjkl asdfzxcv asdqwe asdzxc ashleigh ashley ashton aspirine assasin assassin assfuck
asshole assholes assman assword asterix athena atlanta atlantic atlantis atticus attitude auburn auckland
audrey august augusta augustus aurora austin australi australia austria autumn avalanch avalon avatar avenger
aviation awesome azerty azertyui azertyuiop azsxdcfv babes babybaby babybear babyblue babyboy babycake
babydoll babyface babygirl babylon babylove bacardi bacchus backbone backdoor badass badboy badger badgers
badgirl baggins bagpuss bahamut bailey balance baldwin baller balloon balloons balls ballsack baltimor banana
bananas bandit bangbang bangkok banshee baracuda barbados barbara barbie barcelon barcelona barefeet barefoot
baritone barkley barney barrett barselona bartman basebal baseball basket basketba basketball bassman bastard
bastards bathing batman battery battle bauhaus baxter bcfields beach beaches beagle bearbear bearcat bearcats
beardog beastie beatles beatrice beautifu beautiful beauty beaver beavis because beckham bedford beefcake
beerbeer beerman beethove beetle begemot behappy believe belinda belmont beloved bender bendover benessere
benfica bengals benjami benjamin bennett benson bentley beowulf beretta bergkamp berkeley berlin bermuda
bernard bernie bertha bestbuy bethany bettina bettyboo beverly bianca bicycle bigballs bigbang bigbear bigbird
bigblock bigblue bigboobs bigbooty bigboss bigboy bigbutt bigcock bigdaddy bigdawg bigdick bigdicks bigdog
bigfish bigfoot biggie biggles bigguns bigguy bighead bigjohn bigmac bigman bigmike bigmoney bigone bigones
bigpimp bigpoppa bigred bigsexy bigtime bigtits bigtruck billabon billbill billy billybob billyboy bingo
binladen biology birddog birdie birdman birthday biscuit bishop bismarck bismark bismillah bitch bitchass
bitches biteme black blackbir blackbird blackcat blackdog blackhaw blackie blackjac blackjack blacklab
blackman blackout blade blades blahblah blanche blaster blazer bledsoe blessed blessing blink blizzard blonde
blondes blondie blood blossom blowfish blowjob blowme blubber blue blueball bluebell blueberr bluebird
blueblue blueboy bluedog blueeyes bluefish bluejay bluejays bluemoon blues bluesky bluesman boating bobafett
bobbie bobby bobcat bobdole bobdylan bobmarley boeing bolitas bollocks bollox bologna bomber bombers bonanza
bondage bonehead bonjour bonjovi bonkers bonnie boobear boobies boobs booger boogie bookworm boomboom boomer
booster bootsie booty borabora bordeaux borders boricua borussia bossman boston bottom boulder bouncer bourbon
bowling boxster bradford bradley brandi brandon brandy brasil braves brazil breaker breanna breasts brenda
brendan brennan brewster brian brianna bridge bridget brighton brigitte brisbane bristol british britney
brittany brittney broadway bronco broncos bronson brooke brooklyn brooks brother brothers brown brownie
browning browns bruce brucelee bruins bruiser bruno brutus bubba bubble bubbles buckeye buckeyes buckley
buckshot budapest buddha buddy buddyboy budlight budweise budweiser buffalo buffett buffy bugger builder
building bukkake bulldog bulldogs bullet bullfrog bullseye bullshit bunghole bunnies bunny burger burning
burnout burrito burton bushido business buster butcher butler butter buttercu buttercup butterfl butterfly
butters buttfuck butthead butthole buttman buttons buzzard bynthytn byteme cabbage cabernet cactus cadillac
caesar caitlin calgary calibra caliente californ california caligula calimero callaway callie calling callisto
calvin camaro camaross cambiami cambridg camelot cameltoe camera cameron camilla camille campbell camping
canada canadian cancer candace candice candy candyass candyman cannabis cannibal cannon cantona canucks
capecod capetown capital capitals caprice capricor capricorn capslock captain caracas caramel caravan cardiff
cardinal cardinals carebear carlisle carlito carlitos carlo carlos carlton carmen carnage carnival carolin
carolina caroline carolyn carpedie carpente carpet carrera carrie carroll carrot carrots carson carter cartman
cartoon cartoons casanova cascade caserta casey cashflow cashmone cashmoney casino casper cassandr cassandra
cassidy cassie castillo castle catalina catch catcher catdog catfish catherin catherine catwoman cavalier
caveman cbr900rr cdtnkfyf cecilia celebrity celeron celeste celica celtic celtics central century cerberus
cessna cevthrb cfitymrf cgfhnfr chainsaw challeng chamber chambers champion chance chandler chandra change
changed changeme changes channel chantal chaos chapman charger chargers charisma charity charlene charles
charley charlie charlott charlotte charlton charly charmed charter cheater check checker checkers cheddar
cheerleaers cheese cheetah chelsea chemical chemist cherokee cherries cherry cheryl cheshire chessie chester
chestnut chevelle chevrole chevrolet chevy cheyenne chicago chicken chickens chicks chiefs children chillin
chimera chinese chinook chipmunk chipper chiquita chloe chocolat chocolate choochoo chopper chouchou chris
chrisbln chrissy christ christa christi christia christian christie christin christina christine christma
christmas christop christopher christy chronic chrysler chubby chuck chuckie chuckles chucky cindy cinnamon
citadel citation citizen citroen cjkysirj cjkywt claire clapton clarence clarinet clarissa classic classics
claude claudia claudio claymore clayton cleaner clement clemente clemson cleopatr cleopatra clevelan cleveland
clifford clifton climber clinton clipper clippers clitoris clover cnfybckfd cobra cocacola cocaine cocksuck
cocksucker coconut codered coffee coldbeer coldplay coleman colleen college collins colnago colombia colonel
colonial colorado colors coltrane columbia columbus comanche comfort command commande commander commando
compact company compaq compass complete compton compute computer concord concorde concrete condor confused
connect connie connor conover conquest constant consumer contact content contest contract control cookie
cookies coolcat coolcool cooldude cooler coolguy coolhand coolio coolman coolness cooper copper corinna
corinne corleone corndog cornell cornwall corolla corona corrado corsair corvette cosmos costello cosworth
cottage cotton cougar cougars counter country courage courtney coventry cowboy cowboys cowgirl coyote cracker
crackers crawford crazy crazybab cream creampie creation creative creature crescent cricket criminal crimson
cristian cristina critter crjhgbjy cromwell cruiser crusader crusher crystal cthulhu cthutq cubbies cubswin
cucumber cuddles cumming cummins cumshot cumslut cupcake curious curtis customer cutiepie cutlass cxfcnmt
cyclone cyclones cyclops cygnusx cynthia cypress dabears daddy dagger daisy daisydog dakota dallas damian
damien dancer dancing danger dangerous daniel daniela daniele danielle daniels danni danny dannyboy darkange
darkangel darklord darkman darkness darkone darkside darkstar darlene darling darrell darren darwin daughter
david davidson davinci daylight daytona dbnfkbr dbrnjhbz deadhead deadman deadpool death debbie deborah
december deepthroat deeznuts deeznutz default defender defense defiant deftones delaney delaware delete
delight delilah delldell delpiero delta demon denis denise deniska denmark dennis dentist denver depeche
derparol derrick descent design designer desire desiree deskjet desktop desmond destiny destroy detroit
deutsch devil devildog deville devils dexter dfcbkbcf dfcbkbq dfkthbz dfktynby dfktynbyf dfvgbh diablo diamond
diamonds diana dickdick dickens dickhead diehard diesel dietcoke digger diggler digimon digital dilbert
dilligaf dillon dimadima dimitri dimples dingdong dinosaur dipshit director dirtbike dirty discover disney
divorce dixie dkflbckfd dkflbvbh dmitriy doberman doctor dodge dodger dodgeram dodgers dogbert dogbone dogface
dogfood doggie doggies doggy doghouse dogpound dogshit dogwood doitnow dolemite dollar dollars dolores dolphin
dolphins domingo dominic dominik dominion dominiqu domino donald donjuan donkey donovan dontknow doodle dookie
doomsday dorothy dortmund doubled doughboy douglas download downtown dracula dragon dragonba dragonball
dragonballz dragonfl dragons dragoon dragster dream dreamcas dreamer dreaming dreams dresden drifter driller
driver drizzt drowssap drpepper drummer dthjybrf dublin ducati duchess duckman dudedude dudeman dudley duffman
dukeduke dumbass duncan dungeon durango dustin dusty dutchess dynamic dynamite dynasty eagle eagles earnhard
earthlink eastern eastside eastwood eatme eatmenow eatpussy eatshit eclipse eddie edmonton eduardo edward
edwards egghead eggplant einstein ekaterina elaine elcamino eldorado eleanor electra electric electro electron
elefant element elements elena eleonora elephant elisabet elizabet elizabeth elizaveta elliott elvis elwood
emanuel emerald emerson emily eminem emmanuel emperor empire energy enforcer engine engineer england english
enigma enjoy enrique enter enterme enternow enterpri enterprise entrance entropy epsilon erection ericsson
ernesto erotic erotica escalade escort espresso esquire estelle estrell estrella eternal eternity eugene
evangelion evelyn everest everett everlast everton evgeniy evolutio evolution excalibu excalibur exchange
exigen exigent experienced explore explorer express extreme fabienn fabulous facebook factory fairlane faith
faithful falcon falcons fallout family fandango fantasia fantasy fantomas farmboy farmer farscape farside
fashion fastball faster fatboy fatcat father favorite fearless feather feathers february federal federico
feelgood felicia felix fellatio females fender ferguson fernand fernando ferrari ferret festival fetish
fgtkmcby ficken fiction fidelio fidelity fighter finally finance finger fingers finish finland fireball
firebird fireblad firefigh firefire firefly firefox fireman firenze firewall fischer fishbone fisher fisherman
fishfish fishhead fishing fishman fisting fitness fkbyjxrf fktrcfylh fktrcfylhf fktrctq flamengo flames
flamingo flanker flash flasher flatron fletcher flexible flight flipflop flipper florence florian florida
flounder flower flowers fluffy flvbybcnhfnjh flyers flyfish foobar foolish footbal football footjob fordf
forest forever forget forgetit forlife formula forrest forsaken fortress fortuna fortune forward fossil foster
fosters fountain foxtrot foxylady france frances francesc francesco francine francis francisc francois frank
frankie franklin freak freaky freckles freddie freddy frederic frederik fredfred fredrick freebird freedom
freefall freefree freeman freepass freeporn freesex freestyle freeuser freeway french frenchy friday friend
friendly friends friendster frisbee frogger froggy frogman front frontier frosty fuck_inside fucked fucker
fuckers fuckface fuckfuck fuckhead fuckher fucking fuckinside fuckit fuckme fuckoff fuckthis fuckyou fujitsu
fullmoon function funstuff funtime furball fusion fussball futurama future fyfcnfcbz fyfnjkbq fylhtq fyutkbyf
fyutkjxtr gabriel gabriela gabriele gabriell gagging galaxy galina galore gambit gambler gameboy gamecock
gamecube gameover gandalf gangbang gangsta gangster gannibal garbage garcia garden gardner garfield gargoyle
garrett gateway gatorade gators gbhfvblf geheim gemini general generals generic genesis genius geoffrey george
georgia georgie gerald gerard german germany geronimo gerrard gertrude gesperrt getmoney getsome getting
gfhjkm gfhjkmgfhjkm ghbdtn ghbdtnbr ghblehjr ghbywtccf ghhh47hj ghjcnbnenrf ghjcnj ghjcnjgfhjkm ghjcnjnfr
ghjcnjq ghjuhfvvf ghost ghostrider giants gibson gigabyte giggles gilbert gillian gilligan ginger giorgio
giovanna giovanni giraffe girls giuseppe gizmo gizmodo glacier gladiato gladiator glamour glasgow glasses
global gloria gn56gn gobears goblin goblue gobucks godbless goddess godfathe godfather godlike godsmack
godzilla goforit gogators goirish goldberg golden goldeney goldeneye goldfing goldfish goldie goldstar
goldwing golfball golfer golfgolf golfgti golfing goliath gonzales gonzalez goober good goodboy goodbye
goodday goodgirl goodluck goodman goodtime goodyear google gordon gorgeous gorilla gotcha gotenks gothic
gotmilk gotohell gotribe grace gracie graham granada grandam grandma grandpa granite graphics grateful gravity
grayson great greatone greedisgood green greenbay greenday gregory gremlin grendel gretchen gretzky greywolf
griffey griffin grimace grizzly groovy groucho gryphon gsxr gtnhjdbx guardian guillaum guiness guinness guitar
guitars gundam gunner gunners gunther gustavo gymnast hacker hacking hairball halflife halifax hallo hallowee
halloween hambone hamburg hamilton hamlet hammer hammers hammond hampton hamster hancock handball handsome
handyman hannah hannibal hansolo hanuman happiness happy happyday hardball hardcock hardcore harddick hardon
hardone hardrock hardware hardwood harley harmony harold harrier harriet harris harrison harry harrypotter
harvard harvest harvey hastings hattrick havefun hawaii hawaiian hawkeye hawkeyes hawkins hayabusa hearts
heather heaven hector hedgehog heineken heinrich helena hellboy hellfire hello hellokitty hellsing hellyeah
helpme helsinki hemlock hendrix henry hentai herbert hercules herewego heritage herman herring hershey hesoyam
hetfield hewlett hfytnrb higgins highbury highheel highland highlander highlife highway hillary hillbill
hiphop history hitachi hithere hitman hjvfirf hobbes hobbit hockey hoffman hogtied holden holiday holidays
holland holly hollywoo hollywood holmes holycow holyshit homeboy homemade homepage homer homerun homework
honda honey honeybee hongkong honolulu hooker hooligan hoosier hoosiers hooters hoover hopeful hopeless
hopkins horizon horndog hornet hornets horney horny horse horses hotboy hotdog hotgirls hotpussy hotrod hotsex
hotshot hotstuff hottest hottie hotties houdini hounddog house houston howard htubcnhfwbz hummer humphrey
hunter hunting hurrican hurricane husband huskers huskies hustler hyperion hyundai ibanez ibrahim iceberg
icecream icecube icehouse iceland iceman idontkno idontknow iforget iforgot ihateyou ijrjkfl ilikeit ilikepie
illinois illusion ilovegod iloveme ilovepussy ilovesex iloveu iloveyo iloveyou imagine imation immortal impala
imperial implants impreza incubus indian indiana indians indigo infantry inferno infiniti infinity information
innocent insane insanity inside insight insomnia inspiron install instant integra intercourse interest interne
internet intrepid intruder inuyasha ipswich ireland irina irish irishka irishman ironmaiden ironman isabel
isabell isabella isabelle island islander istanbul istheman italia italian italiano ivanova iverson iwantu
j4ye3uz jabroni jackass jackie jackjack jackoff jackpot jackson jacob jacques jaguar jaguars jakarta jakejake
jamaica james jamesbon jamesbond jameson jamie janelle janice janine january japan japanese jarhead jarrett
jasmin jasmine jason jasper javelin jaybird jayhawk jayhawks jazzman jeanette jeannie jeepster jefferso
jefferson jeffery jeffrey jehovah jellybea jellybean jenifer jenkins jennife jennifer jenny jeremiah jeremy
jericho jerkoff jermaine jerome jerry jersey jessica jessie jester jesus jezebel jiggaman jillian jimbo jimbob
jimmy jingles jktymrf joanna joanne jocelyn joecool joemama johanna johannes johnboy johncena johndeer johndoe
johngalt johnjohn johnny johnson joker jonathan jonathon jones jordan joseph josephin joshua journey juanita
jubilee juggalo jughead juice julia julian juliana julie juliette jumper junebug jungle junior juniper
junkmail jupiter jurassic just4fun justdoit justice justin justine justme juventus k.lvbkf kaiser kaitlyn
kakashka kamasutra kamikaze kamilla kangaroo kansas karachi karaoke karate karen karina karolina kashmir
katana katarina katerina katherin katherine kathleen kathryn katie katrina kawasaki kayleigh kazantip kcchiefs
kcj9wx5n keeper keepout kelly kelsey kendall kennedy kenneth kenny kenshin kentucky kenwood kenworth kermit
kerouac kerstin kestrel kevin keyboard keystone keywest kfgjxrf kickass kicksass kidrock killbill killer
killers killjoy killkill kimball kimberly kingdom kingfish kingking kingkong kingpin kingston kirill kirkland
kirsten kissing kisskiss kissme kissmyass kitchen kiteboy kitkat kitten kittens kitty kittycat kittykat
kjkszpj kjrjvjnbd klaster kleopatra klingon klondike knickers knicks knight knights knockers knuckles kodiak
kolbasa kolobok kolokol konstantin koolaid kordell koroleva kotenok kramer krasotka krishna kristen kristian
kristin kristina kristine krokodil krypton krystal ktyjxrf labrador lacrosse ladies ladybug laetitia lakers
lakeside lakewood lalakers lambert lancelot lancer lansing lantern larisa larissa larry laserjet lasvega
lasvegas latinas latino laura lauren laurence laurent lawrence lawyer lazarus leather leavemealone lebowski
ledzep leedsutd left4dead legend legion legolas lemmein lemonade lennon lenochka leonard leonardo leopard
leopold lesbian lesbians leslie lespaul lestat lester letmein letsdoit lexmark lfitymrf liberty library licker
licking lickme lifehack lifetime light lighter lighting lightnin lightning lights liliana lillian limewire
limited lincoln linda lindros lindsay lindsey lineage lionking lipstick liquid lisalisa lithium little
liverpoo liverpool lizard lizzie ljxtymrf lobster lockdown logan login logitech lokiloki lokomotiv lol lolipop
lolita lollipop lollypop london lonesome lonestar lonewolf longbow longdong longhair longhorn longjohn looking
lookout lorenzo loretta lorraine loser louise love lovebug loveless lovelife lovelove lovely loveme lover
loverboy loverman lovers lovesex loveyou loving lowrider ltybcrf lucas luciano lucifer lucille lucky luckydog
luckyone ludmila lunchbox luther lvbnhbq m2do5bs macaroni macbeth macdaddy machine macintos macleod macross
madagaskar maddie maddog madeline madison madman madmax madness madonna madrid maestro magazine magelan
magellan maggie magic magical magician magicman magneto magnolia magnum magpies maiden mailcreated mailman
majestic makaveli makayla maksim maksimka malachi malaysia malcolm malibu mallard mallorca mallory mallrats
mamacita mamamia mamapapa manager manchest manchester mancity mandarin mandingo mandrake manfred maniac
mankind manning manowar manson manuel manuela manutd maradona marathon marauder marbles marcel marcello
marcelo marcius marco marcus margaret margarit margarita maria mariah mariana marianna marianne marie marijuan
marijuana marilyn marina marine mariner mariners marines marino mario marion mariposa marissa marjorie markus
marlboro marlene marley marlin marquis marriage married marseill marseille marshal marshall martha martin
martina martine martinez martini marvin maryann maryjane maryland masamune maserati mash massage massimo
massive master masterbate masterbating masterp masters matador matchbox matilda matisse matrix matthew
matthews matthias mature maureen maurice maveric maverick maxima maximka maximum maximus maxine maxwell
maynard mazafaka mazda mazdarx mcdonald mckenzie mclaren meatball meathead meatloaf mechanic medical medicine
megadeth megaman megan megapass megatron meister melanie melbourne melinda melissa melrose melvin member
memorex memphis menthol meowmeow mephisto mercede mercedes mercury meredith meridian merlin mermaid mersedes
messiah metallic metallica metroid mexican mexico miami michael michaela michaels micheal michel michele
michell michelle michigan mickey microlab microphone microsof microsoft midnight midnite miguel mikemike mikey
milano mildred military milkman millenium miller millie million millions millwall milton minecraft minemine
minerva minimoni ministry minnie miracle mirage miranda mischief misfit misfits mission mississippi missouri
missy mister mistress misty mitchell mittens mobile mobydick modelsne mohamed mohammad mohammed mollie molly
mollydog molson momoney monalisa monarch monday money moneyman mongoose monica monika monique monitor monkey
monkeybo monkeys monopoly monroe monster monsters montana montecar montgom montreal montrose mookie moonbeam
moondog moonligh moonlight moonshin moose morales morgan morning morpheus morris morrison morrowind mortgage
mortimer moscow mother motherfucker motherlode mothers motocros motorola mountain mouse movie mozart mudvayne
muffin muhammad mulder mulligan multiplelo munchkin murphy murray musashi muscle muscles mushroom music
musical musicman mustafa mustang mustangs mustard mylove mynameis mypassword mystery myxworld nadine naked
namaste napoleon napster naruto nascar nasty nastya natali natalia natalie natalya natasha natedogg nathalie
nathan national natural naughty nautica nautilus navigator navyseal nbvjatq ncc ncc1701a ncc1701d ncc1701e
nebraska needles nelson nemesis nemrac neptune netscape network nevermind nevermore neville newcastl newcastle
newlife newman newpass newport newton newyear newyork nfnmzyf nfytxrf niceass niceguy nicholas nichole nicola
nicolas nicole nigger nightmar nightmare nightwish nikita nikitos nikki nikolai nikolas nikolay nimrod
nineball nineinch niners ninja nintendo nipple nipples nirvana nissan nittany nokia nokian nolimit noname
nonenone noodles nookie norbert norman normandy northern norton norwich nostromo notebook nothing notredam
notused nounours november nthvbyfnjh ntktajy nuclear nugget nuggets nursing nuttertools nwo4life nygiants
nylons nymets oakland oatmeal obiwan oblivion obsidian october octopus odyssey office officer offshore
oklahoma oksana oldman oliver olivia olivier olympus omega onelove onetime online ontario opendoor opennow
openup operator ophelia optimist optimus options oracle orange oranges orchard original orioles orion orlando
oscar osiris othello outback outkast outlaw outside overkill overlord oxford p0o9i8u pacific packard packers
paintbal paintball painter painting pakistan paladin palermo pallmall palmer palmtree pamela panama panasoni
panasonic pancake pancakes pandora panhead pantera panther panthers panties pantyhos panzer papamama papillon
paradigm paradise paradox paragon paramedi paranoid paris parker parkour parlament parrot partner party
pasadena pascal pass passat passion passpass passport passw0rd passwor password passwords passwort pasword
patches pathetic pathfind patience patrice patrici patricia patrick patriot patriots patton paulina pauline
paulpaul pavement pavilion peace peaches peacock peanut peanuts pearljam pearson pebbles peekaboo peewee
pegasus pelican pencil penelope penetration penguin penguins penis penny pentagon penthous pentium people
pepper peppers pepsi perfect perkins persona personal pervert peter peterbil peterpan peterson petrova petunia
peugeot phantom pharmacy pheonix phialpha philip philippe philips phillies phillip phillips philly phoebe
phoenix photos phpbb phyllis physics pianoman picard picasso piccolo pickle pickles picture pictures picturs
piercing pierre piglet pikachu pilgrim pimpdadd pimpdaddy pimpin pimping pinball pineappl pineapple pinetree
pingpong pinhead pinkfloy pinkfloyd pinnacle pioneer pipeline piramida pirate pirates pissing pissoff pistons
pitbull pizza pizzaman placebo planet plastic plastics platinum platypus playball playboy player players
playing playmate playstat playstation playtime please pleasure plumber plymouth pointer poison pokemon polaris
police polina polniypizdec polopolo pontiac poochie poohbear pookie pool poontang pooper poopie pooppoop
popcorn popeye poptart porkchop pornking porno pornporn pornstar porsche porter portland portugal poseidon
positive postal postman potato pothead potter powder power powerful powers preacher precious predator prelude
premier premium presario presiden president presley pressure preston pretty prince princes princesa princess
pringles printer printing private privet prodigy program progress project promise property prophet prospect
prosper protect protocol proview prowler psycho pudding pufunga pugsley pumpkin pumpkins punisher punkrock
puppies puppydog purple pushkin pussies pussy pussycat pussyman pussys pyramid python q1w2e q1w2e3r q1w2e3r4t
q1w2e3r4t5y q2w3e q2w3e4r q2w3e4r5t q2w3e4r5t6y qa2ws3ed qawsed qawsedrf qaz qaz2wsx qaz2wsx3edc qazwsx
qazwsxed qazwsxedc qazwsxedcrfv qazxsw qazxsw23edc qazxswedc qazzaq qqq qqqq quality quantum quattro queenie
quentin question qw23er qw34er qwaszx qwe qwe123qwe qweasd qweasdzxc qwer qwer1234 qwerasdf qwerasdfzxcv qwert
qwerty qwertyu qwertyui qwertyuio qwertyuiop r2d2c3po rabbit rabbits racecar racerx rachael rachel rachelle
racing radical radiohea radiohead ragnarok raider raiders railroad rainbow rainbows rainman rainyday raistlin
raleigh rambler ramirez rammstein ramones rampage randall random randy ranger rangers raphael raptor rascal
rasdzv rasputin rastaman raven ravens raymond readers reading reality realmadrid reaper rebecca rebels
reckless records recovery redalert redbaron redbird redbone redbull reddevil reddog reddwarf redfish redhead
redheads redline redman redneck redrose redrum redskin redskins redsox redstar redwine redwing redwings
redwood referee reggie regina reginald register reloaded remember remingto renault renegade reptile republic
requiem rereirf rescue research reserve resident respect restart retired revenge review revoluti revolution
revolver rewq reynolds rfgecnf rfhfvtkmrf rfhfylfi rfhnjirf rfnthbyf rfntymrf rfrfirf rfvfcenhf rhbcnbyf
rhfcfdbwf rhfcjnrf rhiannon rhjrjlbk rhtdtlrj rhubarb ricardo riccardo richard richards richie richmond
riffraff rightnow ripper riversid rjhjktdf rjirfrgbde rjntyjr rjycnfynby roadkill roadking roadrunn roadrunner
roadster robbie robert roberta roberto roberts robin robinson robocop robotech robotics rochelle rocker rocket
rockets rockford rockhard rockies rocknrol rocknroll rockon rocks rockstar rockwell rocky rodney rodrigo roger
roland rolling rollins rolltide roman romance romantic romashka romeo rommel ronald ronaldinho ronaldo ronnie
rooster rootbeer rosario roscoe rosebud rosemary roswell roxanne royalty rtyuehe rubber rudeboy rulez rulezzz
runaway runescape runner running rush2112 ruslan russell russia russian rusty rustydog sabbath sabine sabrina
sadie safety sailboat sailing sailor saints sakura salamander salasana sally salmon salomon salsero salvador
samanth samantha sammie sammy sampson samson samsung samtron samuel samurai sanchez sanders sandiego sandman
sandra sandrine sandwich sandy sanford sanfran santafe santana santiago sapphic sapphire sarah saratoga sasha
satan satchmo saturday saturn sausage sausages savage savanna savannah scamper scanner scarface scarlet
scarlett schalke scheisse schmidt school science scissors scooby scoobydo scoobydoo scooter scorpio scorpion
scotland scott scottie scotty scrabble scrapper scrappy scratch screamer scruffy scully seagull seahawks
search seattle sebastia sebastian sebring secret secrets security seeking segblue seinfeld seminole semperfi
senator senators sentinel sephiroth septembe september serega serena serenity sergbest sergeant sergei sergey
sergio serious serpent sersolution server service services sesame seven severin sex4me sexual sexybabe
sexybitch sexyboy sexygirl sexylady sexyman sexyone sexysexy seymour shadow shadows shaggy shakira shalom
shaman shampoo shamrock shaney shanghai shannon shaolin shark sharks sharon shasta shaved shazam shearer
sheena sheepdog sheila shelby sheldon shelley shelly shemale shepherd sheridan sheriff sherlock sherman sherry
sherwood shiloh shinobi shirley shitface shithead shocker shogun shooter shopper shopping short shorty shotgun
showme showtime shuttle sidekick sidney siemens sierra sigmachi silence silver silverad silvia simmons simon
simone simple simpson simpsons sinatra sinclair singapor singer single sinister sinner siobhan sirius sister
sisters sithlord sixpack skateboard skater skeeter skidoo skillet skinhead skinner skipper skippy skittles
skorpion skydive skyhawk skylark skyline skywalke skywalker slacker slamdunk slammer slapper slapshot slayer
sleeper sleepy slick slimshad slimshady slipknot slippery slowhand slugger sluts smackdow smackdown smashing
smeghead smile smiles smiley smirnoff smirnov smith smitty smoke smoker smokey smoking smooth smoothie snake
snakes snapper snapple snatch sneakers snicker snickers sniffing sniper snooker snoopdog snoopy snowball
snowbird snowboar snowboard snowflak snowman snuggles sobaka soccer socrates softail softball software
sojdlg123aljg solaris soldier solitude solomon solution someday somerset somethin something sommer
sonyericsson sonyfuck sonysony sooners sophia sophie soprano sopranos soso123aljg soulmate southern southpar
southpark southpaw spaceman spanish spanker spanking spankme spanks spanky spanner sparkle sparkles sparky
sparrow spartak spartan spartans speaker speakers special specialk spectre spectrum speed speedway speedy
spencer spider spiderma spiderman spike spinner spirit spitfire splinter spoiled spongebo spongebob spooky
sporting sports spring springer springs sprint sprinter sprite spunky sputnik spyder squeeze squirrel squirt
srinivas stacey stafford stalker stallion standard stanford stanislav stanley stanton staples starbuck
starcraf starcraft stardust starfire starfish stargate starligh starman stars starship starstar starter
startrek starwar starwars station stayout stealth steeler steelers stefan stefanie stefano steffen stella
stellar stephan stephane stephani stephanie stephen sterlin sterling steve steven stevens stevie stewart
stickman sticky stigmata stimpy stinger stingray stinker stinky stocking stockton stone stonecol stonecold
stones storage stories storm stormy straight strange stranger stratfor stratus strawber strawberry streaming
street streets strelok strength stretch strider strike striker stripper stroker stryker stuart student studman
stunner stupid subaru sublime suburban subzero success suckdick sucker suckers sucking suckit suckme
suckmydick sucks sugar suicide sullivan summer summers sundance sunday sundevil sunfire sunflowe sunflower
sunlight sunny sunnyday sunrise sunset sunshin sunshine super superfly superior superma superman supernov
supernova supersonic supersta superstar support supreme surfer surfing surgery surprise survivor susan susanna
susanne suzanne suzuki svetlana svoboda swallow swedish sweet sweetheart sweetie sweetnes sweetness sweetpea
sweets sweety swimmer swimming swinger swingers swinging swordfis swordfish sydney sylveste sylvia syncmaster
synergy syracuse system systems tabasco tabitha tacobell tacoma taekwondo talisman tamara tamerlan tampabay
tanker tanner tarakan tardis target tarheel tarheels tarzan tatarin tatiana tattoo tatyana taurus taylor
tazman tazmania tdutybq tdutybz teacher technics techno teddy teddybea teddybear teenage teens telefon
telephon telephone tempest templar temppass tennesse tennis tequila terefon teresa terminal terminat
terminator termite terrapin terrell terrier terry test tester testing testpass testtest texas thailand
thanatos thanks thankyou theater theatre thebear thebeast thebest theboss thecrow thecure thedoors thedude
theforce thegame thegreat theking theman theodore theone theresa therock thesims thierry thirteen thisisit
thomas thompson thrasher threesom thuglife thumper thunder thunderb thursday tiberius tiburon tickle ticklish
tiffany tiger tigercat tigers tigger timber timeout timosha timothy tinker tinkerbe tinkerbell titanic
titanium titans titfuck titleist titties tkbpfdtnf toaster together tokiohotel tolkien tomahawk tomcat tommy
tommyboy tomorrow tonight toocool toolbox toolman toomuch toonarmy tootsie topgun topper toriamos tornado
toronto torpedo toshiba tottenha tottenham touching toyota tracey tracker tractor traffic trailer trainer
training trains tralala trance transam transfer transit translator trapper travel traveler travis treasure
trebor treefrog treetop trenton trevor trfnthbyf triangle trident trigger trinidad trinitro trinitron trinity
tripleh triplex tripper tristan triumph trixie trojan trojans trombone trooper tropical trouble truck trucker
trucking trucks truelove trumpet trunks trustme trustno tsunami tucker tuesday tunafish turbo turkey turner
turtle tweety twilight twinkie twinkle twisted twister tyler typhoon ugd5hip2j ukraine ultimate ulysses
umbrella underdog underground undertak undertaker unicorn united universa universal universe university
unknown unreal upyours username usmarine usuckballz vacation vagabond vagina valencia valentin valentina
valentine valera valeria valerie valhalla valkyrie vampire vampires vancouve vanessa vanguard vanhalen vanilla
varvara vasilisa vauxhall vbkfirf vegeta vegitto velocity velvet vendetta ventura venture verbatim veritas
verizon vermont veronica veronika versace vertigo vfhbyf vfhecz vfhufhbnf vfitymrf vfksirf vfntvfnbrf vfrcbv
vfrcbvrf vfvfgfgf vfvjxrf victor victori victoria victory video vietnam viewsoni viewsonic viking vikings
viktor viktoria viktoriya village vincent vintage violet violetta viper vipergts virgin virginia virginie
virtual vision vitalik vitamin vjqgfhjkm vkontakte vladimir vladislav volcano volkswag volleyba volume voodoo
voyager vqsablpzla vsjasnel walker wallace walleye walmart walnut walter wanderer wanker wanking warcraft
wareagle warhamme warhammer warlock warlord warning warren warrior warriors warthog washburn washingt
washington watcher water waterboy waterloo waterman waters watford watson weare weasel weather webhompas
webmaste webmaster webster wedding weekend weezer welcome werewolf wesley western westham westside westwood
wetpussy wg8e3wjf whatever whatsup whatthe whatwhat wheeler wheels whiplash whiskers whiskey whisper whistler
white whiteboy whiteout whitesox whitney whocares whore whynot wicked wildbill wildcard wildcat wildcats
wildfire wildman wildone wildwood william williams willie willow wilson windmill window windows windsor
windsurf wingman wingnut winner winners winnie winston winter wireless wisdom wiseguy wishbone wizard wizards
wolfgang wolfman wolfpac wolfpack wolverin wolverine wolves wombat women wonder wonderboy wonderfu wonderful
woodland woodstoc woody woofwoof wookie wordpass working workout world wp2003wp wr2i7h wrangler wrestle
wrestler wrestlin wrestling wright wrinkle wutang wyoming x2zkg8w xanadu xavier xfiles xxxpass yamaha yamahar
yankee yankees ybrbnf ybrjkfq yeahbaby yellow yfcntymrf yfnfif yfnfkmz yjdsqgfhjkm yogibear yolanda yomama
yosemite young yourmom yousuck youtube yvonne yzerman z1x2c3v z2x3c4v zachary zanzibar zaq12wsx zaq1xsw zaqwsx
zaqwsxcde zaqxswcde zeppelin zerocool zerozero zhjckfd zildjian zipper zombie zoomzoom zxasqw zxcasdqwe zxcv
zxcv1234 zxcvb zxcvbn zxcvbnm
`;
const words = () => (read ??= new Set(COMMON.trim().split(/\s+/)));
let read: Set<string> | undefined;

type Owner = {
  email: string;
  /** What an attacker tries first for this account: the names of the site and of the user. */
  names: string[];
};

/** Whether a password is among the first guesses for this account. */
export function isCommonPassword(password: string, { email, names }: Owner) {
  const typed = password.normalize("NFKC").toLowerCase();
  const [mailbox = ""] = email.split("@");
  return (
    [typed, core(typed), unmasked(typed)].some((text) => words().has(text)) ||
    [email, mailbox].some((own) => typed === own || (core(own) !== "" && core(typed) === core(own))) ||
    isMadeOf(typed, names) ||
    REPEATED.test(typed) ||
    isSequence(typed)
  );
}

/** Letters of the shortest word of a name that counts. */
const SHORTEST_NAME = 3;

/** Whether the letters of a password are words of these names and nothing else, with few other characters. */
function isMadeOf(typed: string, names: string[]) {
  const named = names.flatMap((name) => {
    const parts = plain(name).match(/\p{L}+/gu) ?? [];
    return [parts.join(""), ...parts];
  });
  const known = named
    .filter((word) => word.length >= SHORTEST_NAME)
    .toSorted((one, other) => other.length - one.length);
  return [plain(typed), unmasked(plain(typed))].some((text) => {
    const letters = text.replaceAll(/[^\p{L}]/gu, "");
    const others = known.reduce((left, word) => left.replaceAll(word, ""), letters);
    return letters !== "" && others === "" && text.length - letters.length < MANY_SIGNS;
  });
}

/** Lower case, without accents. */
const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Digits and signs that make a password hard to guess, whatever word is beside them. */
const MANY_SIGNS = 8;

/** Up to four characters again and again: aaaaaaaa, abcabcabc. */
const REPEATED = /^(.{1,4})\1+$/;

/** A password without digits and signs at either end, unless they are many. */
function core(text: string) {
  const letters = text.replace(/^[^a-z]+|[^a-z]+$/g, "");
  return text.length - letters.length < MANY_SIGNS ? letters : text;
}

/** With common substitutions undone, and without digits and signs at the end unless they are many: p@ssw0rd1 is password. */
function unmasked(text: string) {
  const start = text.replace(/[^a-z]+$/, "");
  const shown = text.length - start.length < MANY_SIGNS ? start : text;
  return shown.replaceAll(/[@4301$57!]/g, (sign) => LETTERS[sign] ?? sign);
}
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
