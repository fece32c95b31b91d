/** Why a URL is refused. */
export type UrlFault = 'malformed' | 'scheme' | 'credentials' | 'own-address' | 'host' | 'port' | 'forbidden-address';
