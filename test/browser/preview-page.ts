import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { contract as createPreview } from '../../functions/create-preview/contract.ts';
import { contract as updateFlowJson } from '../../functions/update-flow-json/contract.ts';
import { seededNumbers, seededWorkspaces } from '../../local/seed.ts';
import { startFlowService } from '../support/flow-service.ts';
import { launchChromium } from './chromium.ts';

/** Where screenshots are kept, to be looked at. */
const artefacts = join(import.meta.dirname, 'artefacts');

const workspace = seededWorkspaces[0]?.id ?? '';
const number = seededNumbers[0]?.id ?? '';

/** A local world, and a browser that opens previews of Flows in it. */
export async function startPreviews() {
  mkdirSync(artefacts, { recursive: true });
  const [service, browser] = await Promise.all([startFlowService(), launchChromium()]);

  /** A preview of a new Flow, made over the API. */
  async function newPreview(json: object, { flow: metadata = {}, body = {} }: PreviewOptions = {}) {
    const { id: flow } = await service.draft(workspace, metadata);
    await service.api.succeed(updateFlowJson, { params: { workspace, flow }, body: { json } });
    return service.api.succeed(createPreview, {
      params: { workspace, flow },
      body: { number, valid_until: 1, ...body },
    });
  }

  return {
    service,
    newPreview,

    /** The page of a preview before its secret is given. */
    async visit(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
      return watched(await newPage(browser, options), url);
    },

    /** A Flow, open in a browser. */
    async open(json: object, { hash = '', ...options }: PreviewOptions = {}): Promise<WatchedPage> {
      const { url, secret } = await newPreview(json, options);
      const page = await watched(await newPage(browser, options.browser), url);
      await giveSecret(page, secret);
      if (hash) await page.goto(`${url}#${hash}`);
      return page;
    },

    async close(): Promise<void> {
      await browser.close();
      await service.close();
    },
  };
}

export type Previews = Awaited<ReturnType<typeof startPreviews>>;

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
  /** Addresses that were asked for. */
  requested: string[];
};

export async function giveSecret(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Six-digit code').fill(secret);
  await page.getByRole('button', { name: 'Open the preview' }).click();
  await page.waitForLoadState();
}

export const screenshot = (page: Page, name: string) =>
  page.screenshot({ path: join(artefacts, `${name}.png`), animations: 'disabled' });

async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 860 }, locale: 'en', ...options });
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
