import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Waits for a screen. */
export const title = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

/** What the business receives, once the Flow is completed. */
export async function finalPayload(page: Page) {
  return JSON.parse((await page.locator('.phone pre').textContent()) ?? '');
}

/** What axe finds in a part of the page that is serious or worse. */
export async function seriousIn(page: Page, part: string): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run('${part}', ${options})`)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
