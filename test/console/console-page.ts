import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { it as baseIt, expect, inject } from 'vitest';
import { sendMessage } from '#functions/messages/contracts.ts';
import { openConsole } from '#local/console/console.ts';
import { seededNumbers } from '#local/seed.ts';
import { builtFolders } from '#local/start/build.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { startFlowService } from '../../support/flows/flow-service.ts';
import { closeWindows, launchChromium } from '../browser/chromium.ts';

/** The second attempt comes soon, and the third so late that no test sees it. */
const schedule = '1,600';

const [first, second] = seededNumbers as [PhoneNumber, PhoneNumber];

/** The number that takes calls. */
export const talking = first;
/** The number whose receiver the tests break. */
export const breaking = second;

/** A local world with its console, and a browser that opens the console's pages. */
async function startConsole() {
  const { serve, ...heard } = openConsole();
  const [service, browser] = await Promise.all([
    startFlowService({ sweepSeconds: 1, environment: { DELIVERY_RETRY_SCHEDULE: schedule }, ...heard }),
    launchChromium(),
  ]);
  const assets = builtFolders(inject('buildDirectory')).consoleDirectory;
  const served = await serve(service.world, { port: 0, assets, hosts: undefined });
  let troubles: string[] = [];

  const pages = {
    service,
    url: served.url,

    /** A page of the console in a window of its own. */
    async open(path = '', options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en',
        // What slides is not where it will be.
        reducedMotion: 'reduce',
        ...options,
      });
      // Shorter than the test's own limit, so that the error names the missing element.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => troubles.push(message));
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) troubles.push(message.text());
      });
      await page.goto(`${served.url}/#/${path}`);
      await page.getByRole('main').locator('> *').first().waitFor();
      return page;
    },

    /** The number that takes calls sends a message. */
    send: (body: object) => service.api.call(sendMessage, { params: { number: talking.id }, body }),

    /** The chat of a contact with the number that takes calls. */
    chat: (contact: string) => pages.open(`phone/${talking.phone_number_id}/${contact}`),

    /** The windows that are open. */
    windows: () => browser.contexts(),

    /** Leaves the world and the browser to the next file. Fails this file if a page or a function failed. */
    async endFile(): Promise<void> {
      await closeWindows(browser.contexts());
      const found = troubles;
      troubles = [];
      expect(found).toEqual([]);
      service.expectQuiet();
    },

    async close(): Promise<void> {
      await browser.close();
      await served.close();
      await service.close();
    },
  };
  return pages;
}

export type Pages = Awaited<ReturnType<typeof startConsole>>;

/**
 * A test with a console whose world and browser are shared by the files that run in the same process. The pages that it
 * opens are closed when it ends: each would draw what later tests do.
 */
export const it = baseIt
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to find out which fixtures this one needs.
  .extend('pages', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const pages = await startConsole();
    onCleanup(() => pages.close());
    return pages;
  })
  .extend('ownWindows', { auto: true }, ({ pages }, { onCleanup }) => {
    const others = new Set(pages.windows());
    onCleanup(() => closeWindows(pages.windows().filter((window) => !others.has(window))));
  });

/** The pages by their paths, with the names of their links and their headings. */
export const consolePages = {
  '': ['Start', 'Your messaging service runs on this machine'],
  phone: ['Phone', 'Phone'],
  inspector: ['Inspector', 'Inspector'],
  flows: ['Flows', 'Flows'],
  platform: ['Platform', 'Platform'],
} as const;

/** Changes the address within the console, and waits until the page of this path is there. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/${path}`);
  const [first = ''] = path.split('/');
  const [name, heading] = consolePages[first as keyof typeof consolePages];
  await page.locator('nav [aria-current="page"]').and(page.getByRole('link', { name })).waitFor();
  if (path !== first) return;
  // On a narrow screen, the heading of the page Phone is hidden.
  await page.getByRole('heading', { name: heading, level: 1, includeHidden: true }).waitFor({ state: 'attached' });
}

export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click();
