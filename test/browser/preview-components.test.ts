import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPONENTS } from '../../shared/flow-json/components.ts';
import { gallery, galleryFlow } from './gallery.ts';
import { type Previews, screenshot, startPreviews, type WatchedPage } from './preview-page.ts';

let previews: Previews;
let page: WatchedPage;
beforeAll(async () => {
  previews = await startPreviews();
  page = await previews.open(galleryFlow);
});
afterAll(() => previews.close());

const show = (on: Page, id: string) =>
  on
    .getByRole('button', { name: id, exact: false })
    .filter({ hasText: `${id} ${id}` })
    .click();

/** What axe finds in a part of the page that is serious or worse. */
async function seriousIn(on: Page, part: string): Promise<string[]> {
  if ((await on.evaluate('typeof axe')) === 'undefined') await on.evaluate(axe.source);
  const { violations } = (await on.evaluate(`axe.run('${part}')`)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}

describe('every component', () => {
  it('is in the gallery', () => {
    expect(Object.keys(gallery)).toEqual(expect.arrayContaining(Object.keys(COMPONENTS)));
  });

  it.each(Object.keys(gallery))('is drawn and accessible: %s', async (id) => {
    await show(page, id);
    await page.getByRole('heading', { name: id, level: 1 }).waitFor();
    await screenshot(page, `component-${id}`);
    expect(await seriousIn(page, '.phone')).toEqual([]);
    const boxes = await page.locator('.phone .box').allInnerTexts();
    expect(boxes).toHaveLength(id === 'Unknown' ? 3 : 0);
    expect(page.troubles).toEqual([]);
  });
});

describe('what depends on what', () => {
  it('changes at once: If, Switch and update_data', async () => {
    await show(page, 'If');
    await page.getByText('Here is less').waitFor();
    await page.getByLabel('Tell me more').check();
    await page.getByText('Here is more').waitFor();
    await show(page, 'Switch');
    await page.getByText('as it was').waitFor();
    await page.getByRole('radio', { name: 'Green' }).check();
    await page.getByText('It is green').waitFor();
  });

  it('says what the Form says, until it is touched', async () => {
    await show(page, 'Form');
    await page.getByText('said by the form').waitFor();
    expect(await page.getByLabel('Inside').inputValue()).toBe('from the form');
    await page.getByLabel('Inside').fill('else');
    expect(await page.getByText('said by the form').count()).toBe(0);
  });

  it('keeps the files in the browser', async () => {
    await show(page, 'PhotoPicker');
    const file = { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('cat') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('.files').getByText('cat.png').waitFor();
  });
});

describe('every look', () => {
  it.each([
    ['Android', 'Light'],
    ['Android', 'Dark'],
    ['iOS', 'Light'],
    ['iOS', 'Dark'],
  ])('can be read: %s, %s', async (system, theme) => {
    await page.getByLabel(system).check();
    await page.getByLabel(theme).check();
    await show(page, 'CheckboxGroup');
    await screenshot(page, `look-${system}-${theme}`);
    expect(await seriousIn(page, '.preview')).toEqual([]);
  });

  it('fits a phone, and can be read from the right', async () => {
    const phone = await previews.open(
      {
        version: '7.3',
        screens: [
          {
            id: 'FIRST',
            title: 'حجز طاولة',
            layout: {
              type: 'SingleColumnLayout',
              children: [
                { type: 'TextHeading', text: 'متى نتوقع حضوركم؟' },
                { type: 'TextInput', name: 'name', label: 'الاسم', required: true },
                { type: 'OptIn', name: 'terms', label: 'أوافق على الشروط' },
                { type: 'Footer', label: 'التالي', 'on-click-action': { name: 'complete', payload: {} } },
              ],
            },
          },
        ],
      },
      { browser: { viewport: { width: 360, height: 740 } } },
    );
    await phone.getByText('متى نتوقع حضوركم؟').waitFor();
    await screenshot(phone, 'phone-rtl');
    expect(await seriousIn(phone, '.preview')).toEqual([]);
    const overflow = await phone.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    expect(await phone.locator('.opt-in:dir(rtl)').count()).toBe(1);
  });
});

describe('the keyboard', () => {
  it('is enough to go through a Flow', async () => {
    await show(page, 'Footer');
    const button = page.getByRole('button', { name: 'Continue' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'TextHeading', level: 1 }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.matches(':focus'))).toBe(true);
  });
});
