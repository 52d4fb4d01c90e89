/**
 * Apps by how their user agent begins, and data centres by the number of their network. Both change: the owner adds to
 * them in the settings, and each release may bring newer ones.
 */

/** When these lists were last gone through. */
export const CHECKED_ON = "2026-11-25";

/** As apps write them; in any case. The first that fits counts, so that a longer beginning stands before a shorter. */
export const apps: readonly (readonly [startsWith: string, name: string])[] = [
  ["Podcasts/", "Apple Podcasts"],
  ["iTunes/", "iTunes"],
  ["AppleCoreMedia/", "Apple, unknown app"],
  ["Spotify/", "Spotify"],
  ["Overcast", "Overcast"],
  ["PocketCasts", "Pocket Casts"],
  ["Pocket Casts", "Pocket Casts"],
  ["Shifty Jelly Pocket Casts", "Pocket Casts"],
  ["Castro", "Castro"],
  ["CastBox", "Castbox"],
  ["PodcastAddict", "Podcast Addict"],
  ["Podcast Addict", "Podcast Addict"],
  ["AntennaPod", "AntennaPod"],
  ["Player FM", "Player FM"],
  ["PlayerFM", "Player FM"],
  ["Podbean", "Podbean"],
  ["Podkicker", "Podkicker"],
  ["Podverse", "Podverse"],
  ["Podcast Guru", "Podcast Guru"],
  ["PodcastGuru", "Podcast Guru"],
  ["Podcast Republic", "Podcast Republic"],
  ["PodcastRepublic", "Podcast Republic"],
  ["Podimo", "Podimo"],
  ["Fountain", "Fountain"],
  ["Goodpods", "Goodpods"],
  ["Snipd", "Snipd"],
  ["Downcast", "Downcast"],
  ["iCatcher", "iCatcher"],
  ["Instacast", "Instacast"],
  ["RSSRadio", "RSSRadio"],
  ["gPodder", "gPodder"],
  ["Kasts", "Kasts"],
  ["newsboat", "Newsboat"],
  ["Amazon Music", "Amazon Music"],
  ["AmazonMusic", "Amazon Music"],
  ["Audible", "Audible"],
  ["AlexaMediaPlayer", "Alexa"],
  ["Deezer", "Deezer"],
  ["iHeartRadio", "iHeartRadio"],
  ["TuneIn", "TuneIn"],
  ["Sonos", "Sonos"],
  ["Bose/", "Bose"],
  ["Roku/", "Roku"],
  ["GooglePodcasts", "Google Podcasts"],
  ["VLC/", "VLC"],
  ["Kodi/", "Kodi"],
];

/** Autonomous systems of hosting providers. Not those whose addresses people browse through, as iCloud Private Relay's. */
export const dataCentres: readonly number[] = [
  16509, // Amazon
  14618, // Amazon
  396982, // Google Cloud
  8075, // Microsoft Azure
  31898, // Oracle
  45102, // Alibaba
  37963, // Alibaba
  132203, // Tencent
  45090, // Tencent
  136907, // Huawei
  36351, // IBM
  14061, // DigitalOcean
  63949, // Akamai Linode
  20473, // Vultr
  16276, // OVH
  24940, // Hetzner
  213230, // Hetzner
  12876, // Scaleway
  51167, // Contabo
  60781, // Leaseweb
  28753, // Leaseweb
  30633, // Leaseweb
  27357, // Rackspace
  33070, // Rackspace
  29802, // Hivelocity
  46606, // Unified Layer
  26496, // GoDaddy
  8560, // IONOS
  197540, // netcup
  9009, // M247
  62240, // Clouvider
  212238, // Datacamp
];
