/**
 * Autonomous systems of hosting providers, as published by them and the registries; reviewed together with the apps.
 * The owner can add more in the settings. Excludes those through which people browse, such as iCloud Private Relay's; a
 * listener behind a VPN in one of these is not counted.
 */
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
