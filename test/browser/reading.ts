import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The minified script, which the browser reads in half the time. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Waits for a screen. */
export const title = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

/** What the business receives, once the Flow is completed. */
export async function finalPayload(page: Page) {
  return JSON.parse((await page.locator('.phone pre').textContent()) ?? '');
}

/** What axe finds in a part of the page. */
export async function findingsIn(page: Page | Frame, part: string): Promise<string[]> {
  return (await violationsIn(page, part)).map(asText);
}

/** What axe finds in a part of the page that is serious or worse. */
export async function seriousIn(page: Page, part: string): Promise<string[]> {
  const violations = await violationsIn(page, part);
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(asText);
}

async function violationsIn(page: Page | Frame, part: string): Promise<Result[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource);
  const options = JSON.stringify({ resultTypes: ['violations'] });
  return await page.evaluate(`axe.run('${part}', ${options}).then(({ violations }) => violations)`);
}

const asText = ({ id, nodes }: Result) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`;
