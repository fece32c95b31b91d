import { eventsPath } from '#shared/http/path.ts';
import { Rejection } from '../terminal/errors.ts';

/** The levels at which the platform lets an app choose where events go. A later one decides over an earlier one. */
export const callbackLevels = ['app', 'account', 'number'] as const;
export type CallbackLevel = (typeof callbackLevels)[number];

/** Where events go, by level. */
export type Callbacks = Record<CallbackLevel, string | undefined>;

/** The level whose callback decides where messages and calls of a number go. */
export const decisiveLevel = (current: Callbacks): CallbackLevel | undefined =>
  callbackLevels.findLast((level) => current[level]);

/** Whether only this machine reaches the address. */
const isLoopback = ({ hostname }: URL) => /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);

/**
 * The address to which the platform should send events.
 *
 * @param platformUrl the simulated platform reaches this machine, too
 * @throws Rejection if the platform cannot reach it
 */
export function callbackUrl(baseUrl: string | undefined, platformUrl: string): string {
  const url = new URL(eventsPath, baseUrl);
  if (isLoopback(new URL(platformUrl)) || (url.protocol === 'https:' && !isLoopback(url))) return url.href;
  throw new Rejection(
    `The platform cannot reach ${url}: it needs an https address that is open to the internet. ` +
      'For this machine, start a tunnel, set PUBLIC_URL to its address, and start the world with "./messaging start --live".',
  );
}

export const isSameUrl = (one: string | undefined, other: string): boolean =>
  one !== undefined && URL.canParse(one) && new URL(one).href === new URL(other).href;
