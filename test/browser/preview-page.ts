import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { it as baseIt } from 'vitest';
import { updateFlowJson } from '#functions/flows/contracts.ts';
import { createPreview } from '#functions/previews/contracts.ts';
import { seededNumbers, seededWorkspaces } from '#local/seed.ts';
import { canary, startFlowService } from '../../support/flows/flow-service.ts';
import { closeWindows, launchChromium } from './chromium.ts';

/** The browser's time, so that its pages are the same on every run. */
const today = new Date('2026-12-01T10:00:00Z');

const workspace = seededWorkspaces[0]?.id ?? '';
const number = seededNumbers[0]?.id ?? '';

/** A local world, and a browser that opens previews of Flows in it. */
export async function startPreviews() {
  const [service, browser] = await Promise.all([startFlowService(), launchChromium()]);
  let flows = 0;

  /** A preview of a new Flow, made over the API. */
  async function newPreview(json: object, { flow: metadata = {}, body = {} }: PreviewOptions = {}) {
    flows += 1;
    const { id: flow } = await service.draft(workspace, { name: `${canary} ${flows}`, ...metadata });
    await service.api.succeed(updateFlowJson, { params: { workspace, flow }, body: { json } });
    return service.api.succeed(createPreview, {
      params: { workspace, flow },
      body: { number, valid_until: 1, ...body },
    });
  }

  return {
    service,
    browser,
    newPreview,

    /** The page of a preview before its secret is given. */
    async visit(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
      return watched(await newPage(browser, options), url);
    },

    /** A Flow, open in a browser. */
    async open(json: object, { hash = '', ...options }: PreviewOptions = {}): Promise<WatchedPage> {
      const { url, secret } = await newPreview(json, options);
      const page = await newPage(browser, options.browser);
      // Other tests fill in the form for the secret.
      const unlocked = await page.context().request.post(url, { form: { secret }, maxRedirects: 0 });
      if (unlocked.status() !== 303) throw new Error(`The preview is still locked: ${await unlocked.text()}`);
      return await watched(page, hash ? `${url}#${hash}` : url);
    },

    /**
     * Leaves the world and the browser to the next file. Fails this file if something went wrong behind the responses:
     * Vitest drops what fails when a shared fixture is closed.
     */
    async endFile(): Promise<void> {
      await closeWindows(browser.contexts());
      service.expectQuiet();
    },

    async close(): Promise<void> {
      await browser.close();
      await service.close();
    },
  };
}

export type Previews = Awaited<ReturnType<typeof startPreviews>>;

/**
 * A test with previews whose world and browser are shared by the files that run in the same process. They stay until it
 * ends. Each file calls `endFile`. The pages that a test opens are closed when it ends.
 */
export const it = baseIt
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to find out which fixtures this one needs.
  .extend('previews', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const previews = await startPreviews();
    onCleanup(() => previews.close());
    return previews;
  })
  .extend('ownWindows', { auto: true }, ({ previews: { browser } }, { onCleanup }) => {
    const others = new Set(browser.contexts());
    onCleanup(() => closeWindows(browser.contexts().filter((window) => !others.has(window))));
  });

interface PreviewOptions {
  flow?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** The screen to show. */
  hash?: string;
  browser?: BrowserContextOptions;
}

export type WatchedPage = Page & {
  /** Errors of scripts, and whatever the page tried that its policy forbids. */
  troubles: string[];
  /** The addresses that the page requested. */
  requested: string[];
};

export async function giveSecret(page: Page, secret: string): Promise<void> {
  await page.locator('#secret').fill(secret);
  await page.getByRole('button').click();
  await page.waitForLoadState();
}

async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 860 },
    locale: 'en',
    // What slides is not where it will be.
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    ...options,
  });
  // Shorter than the test's own limit, so that the error names the missing element.
  context.setDefaultTimeout(60_000);
  await context.clock.setFixedTime(today);
  return context.newPage();
}

async function watched(page: Page, url: string): Promise<WatchedPage> {
  const troubles: string[] = [];
  const requested: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) troubles.push(message.text());
  });
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(url);
  return Object.assign(page, { troubles, requested });
}
