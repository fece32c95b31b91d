/** Longest URL that is taken for an endpoint. */
export const maxUrlLength = 2_000;

/**
 * Whether `text` is a URL of a customer's that the service may call: absolute, `https`, no user name or password in it.
 * Plain `http` to the loopback host passes only where `loopbackAllowed` says so, which is the local world alone.
 */
export function isCustomerUrl(text: string, loopbackAllowed = process.env.ALLOW_LOOPBACK_HTTP === 'true'): boolean {
  // WHATWG parsing drops white space and control characters; a URL that needs that is not what its owner meant.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackAllowed && isLoopbackHost(url.hostname));
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
