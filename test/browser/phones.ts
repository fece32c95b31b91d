import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { launchChromium } from './chromium.ts';

const html = readFileSync(join(import.meta.dirname, 'phone.html'));

/** Microphones that hear a beep, and addresses that are not hidden behind names of the local network. */
const flags = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];

export type Phone = Awaited<ReturnType<Awaited<ReturnType<typeof startPhones>>['newPhone']>>;

/** A browser whose pages are parties of calls, each with a WebRTC connection of its own. */
export async function startPhones() {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  const [pages, browser] = await Promise.all([listenOnLoopback(server, 0), launchChromium(flags)]);

  return {
    async newPhone() {
      const context = await browser.newContext({ permissions: ['microphone'] });
      const page = await context.newPage();
      await page.goto(pages.url);
      const call = <T>(method: string, argument?: string): Promise<T> =>
        page.evaluate(([name = '', value]) => Reflect.get(globalThis, 'phone')[name](value), [
          method,
          argument,
        ] as const);
      return {
        /** Starts a call and returns its SDP offer with candidates. */
        offer: () => call<string>('offer'),
        /** Accepts a call and returns the SDP answer. */
        answer: (offer: string) => call<string>('answer', offer),
        /** The other party has answered. */
        take: (answer: string) => call<void>('take', answer),
        /** The state of its connection. */
        state: () => call<string>('state'),
        /** How much of the other party's voice has arrived. */
        bytesReceived: () => call<number>('bytesReceived'),
        hangUp: () => call<void>('hangUp'),
      };
    },

    async close(): Promise<void> {
      await browser.close();
      await pages.close();
    },
  };
}
