/** Why a URL is rejected. */
export type UrlFault =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'own-address'
  | 'host'
  | 'port'
  | 'forbidden-address'
  | 'ipv6';
