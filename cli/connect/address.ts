import { isIP } from 'node:net';
import { eventsPath } from '#shared/http/contract/linked-paths.ts';
import { Rejection } from '../terminal/errors.ts';

/** The longest address that the platform takes for events (Meta, "Webhook overrides"). */
const maxLength = 200;

/** Whether this is a platform on this machine, such as the simulated one, which reaches what only this machine does. */
const isOnThisMachine = (url: string) => isLoopback(new URL(url).hostname);

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) ? name === '::1' || name.startsWith('127.') : name === 'localhost' || name.endsWith('.localhost');
}

/**
 * The address to which the platform should send events.
 *
 * @throws Rejection if the platform could not use it
 */
export function callbackUrl(baseUrl: string | undefined, platformUrl: string): string {
  if (baseUrl === undefined) {
    throw new Rejection('The address of the service is not known. Give --stage <stage>.');
  }
  const url = new URL(eventsPath, baseUrl).href;
  const { protocol, hostname } = new URL(url);
  if (!isOnThisMachine(platformUrl) && (protocol !== 'https:' || isLoopback(hostname))) {
    throw new Rejection(
      `The platform cannot reach ${url}: it needs an https address that is open to the internet. ` +
        'For this machine, start a tunnel, set PUBLIC_URL to its address, and start the world with "./messaging start --live".',
    );
  }
  if (url.length > maxLength) {
    throw new Rejection(`${url} has ${url.length} characters; the platform takes at most ${maxLength}.`);
  }
  return url;
}

export const isSameUrl = (one: string | undefined, other: string): boolean =>
  one !== undefined && URL.canParse(one) && new URL(one).href === new URL(other).href;
