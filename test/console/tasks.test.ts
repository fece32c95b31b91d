import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, type Pages, press } from './console-page.ts';

it.afterAll(async ({ pages }) => {
  const page = await pages.open('inspector');
  await page.getByLabel('respond 200', { exact: true }).check();
  await pages.endFile();
});

/** Counts what a person does, as docs/internals/console-tasks.md says, and fails if they would have to scroll. */
async function begin(pages: Pages) {
  const page = await pages.open('', { viewport: { width: 1280, height: 860 } });
  let actions = 0;
  const sees = async (what: Locator) => {
    await what.waitFor();
    const box = await what.boundingBox();
    expect([String(what), box !== null && box.y >= 0 && box.y + Math.min(box.height, 30) <= 860]).toEqual([
      String(what),
      true,
    ]);
  };
  return {
    page,
    sees,
    async does(what: Locator, act = () => what.click()): Promise<void> {
      await sees(what);
      await act();
      actions += 1;
    },
    count: () => actions,
  };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pageLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const delivery = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true });

describe('the tasks by which the console is judged', () => {
  it("a newcomer's first five minutes take seven actions in the browser", async ({ pages }) => {
    const { page, does, sees, count } = await begin(pages);
    for (const name of ['Set the webhook', 'Send a message', 'Send a reply']) {
      await does(button(page, name));
      // The next step builds on this one.
      await page
        .getByRole('listitem')
        .filter({ has: button(page, name) })
        .getByRole('status')
        .getByRole('link')
        .waitFor();
    }
    await does(page.getByRole('link', { name: 'See it' }));
    await sees(delivery(page).locator('pre', { hasText: '"body": "Hello!"' }).first());
    await does(pageLink(page, 'Start'));
    const address = page.getByLabel('Address of your receiver');
    await does(address, () => address.fill('http://localhost:9/own'));
    await does(page.locator('.command', { hasText: '/own' }).getByRole('button', { name: 'Copy' }));
    expect(count()).toBe(7);
  });

  it('why a delivery failed is found in two actions', async ({ pages }) => {
    const setUp = await pages.open('inspector');
    await setUp.getByLabel('respond 500', { exact: true }).check();
    const chat = await pages.chat('5511900000701');
    await chat.getByLabel('Message', { exact: true }).fill('Does anybody hear me?');
    await press(chat, 'Send');
    const { page, does, sees, count } = await begin(pages);
    await does(pageLink(page, 'Inspector'));
    await does(page.locator('.list').getByRole('link').filter({ hasText: '“Does anybody hear me?”' }).first());
    await sees(delivery(page).locator('.reason', { hasText: 'the built-in receiver to respond 500' }));
    await sees(delivery(page).locator('.attempts > li', { hasText: '500' }).first());
    await sees(delivery(page).locator('pre', { hasText: 'Does anybody hear me?' }).first());
    expect(count()).toBe(2);
  });

  it('a Flow is corrected, published, sent and answered in eleven actions', async ({ pages }) => {
    const { page, does, sees, count } = await begin(pages);
    await does(pageLink(page, 'Flows'));
    await does(button(page, 'New Flow'));
    const field = page.getByRole('textbox', { name: 'Flow JSON' });
    await field.waitFor();
    const heading = '{ "type": "TextHeadng", "text": "How was the soup?" }';
    const wrong = (await field.inputValue()).replace('"children": [', `"children": [ ${heading},`);
    await does(field, () => field.fill(wrong));
    const finding = page
      .getByRole('list', { name: 'Findings' })
      .getByRole('listitem')
      .filter({ hasText: '"TextHeadng"' });
    await does(finding.getByRole('button'));
    await does(field, () => field.fill(wrong.replace('TextHeadng', 'TextHeading')));
    for (const name of ['Save', 'Publish']) await does(button(page, name));
    await page.locator('.flow-bar').getByText('Published', { exact: true }).waitFor();
    await does(button(page, 'Send to a phone'));
    await does(page.locator('.bubble').getByRole('button', { name: 'Open', exact: true }).last());
    const sheet = page.frameLocator('dialog iframe');
    await does(sheet.getByLabel('Good', { exact: true }));
    await does(sheet.getByRole('button', { name: 'Send' }));
    await sees(page.locator('.bubble.own').last().getByText('good', { exact: true }));
    expect(count()).toBe(11);
  });
});
