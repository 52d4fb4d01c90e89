/**
 * Autonomous systems of hosting providers, from what their owners and the registries publish of them; gone through together
 * with the apps. The owner adds to them in the settings. Not those through which people browse, as iCloud Private Relay's;
 * who listens through a VPN that leaves from one of these is not counted.
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
