import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import demoFlow from '#local/demo-flow.json' with { type: 'json' };
import { componentTable } from '#shared/flow-json/document/components.ts';
import { gallery, galleryFlow } from './gallery.ts';
import { it, type Previews, type WatchedPage } from './preview-page.ts';
import { finalPayload, seriousIn, title } from './reading.ts';

let previews: Previews;
let page: WatchedPage;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
  page = await previews.open(galleryFlow);
});
it.afterAll(() => previews.endFile());

const show = (on: Page, id: string) => on.getByRole('link', { name: `${id} ${id}`, exact: true }).click();

describe('every component', () => {
  it('every component appears in the gallery', () => {
    expect(Object.keys(gallery)).toEqual(expect.arrayContaining(Object.keys(componentTable)));
  });

  it.each(Object.keys(gallery))('is shown and accessible: %s', async (id) => {
    await show(page, id);
    await page.getByRole('heading', { name: id, level: 1 }).waitFor();
    expect(await seriousIn(page, '.phone')).toEqual([]);
    const boxes = await page.locator('.phone .box').allInnerTexts();
    expect(boxes).toHaveLength(id === 'Unknown' ? 3 : 0);
    expect(page.troubles).toEqual([]);
  });
});

describe('a component that depends on others', () => {
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

  it('shows the values and errors of its Form until the user changes it', async () => {
    await show(page, 'Form');
    await page.getByText('said by the form').waitFor();
    expect(await page.getByLabel('Inside').inputValue()).toBe('from the form');
    await page.getByLabel('Inside').fill('else');
    expect(await page.getByText('said by the form').count()).toBe(0);
  });

  it('of the type ImageCarousel scrolls through its images, with buttons too', async () => {
    await show(page, 'ImageCarousel');
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    await page.getByText('2 of 2').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.locator('.carousel ul').evaluate((list) => list.scrollTo({ left: 0 }));
    await page.getByText('1 of 2').waitFor();
  });
});

describe('a Dropdown', () => {
  it('opens a sheet with descriptions and metadata, whose options can be chosen or left', async () => {
    await show(page, 'Dropdown');
    const field = page.getByLabel('Fruit').first();
    await field.selectOption('');
    await field.click();
    const sheet = page.getByRole('dialog', { name: 'Fruit' });
    expect(await seriousIn(page, 'dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await field.click();
    await sheet.getByRole('button', { name: 'Apples' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('a');
    await field.click();
    expect(await sheet.locator(':focus').innerText()).toContain('Apples');
    // As in browsers that do not know the attribute.
    await sheet.evaluate((dialog) => dialog.removeAttribute('closedby'));
    await page.mouse.click(300, 60);
    await sheet.waitFor({ state: 'detached' });
  });
});

describe('a file input', () => {
  const file = (name: string, mimeType: string, size = 3) => ({ name, mimeType, buffer: Buffer.alloc(size) });
  const choose = (...files: ReturnType<typeof file>[]) => page.locator('input[type=file]').setInputFiles(files);
  const names = () => page.locator('.files [dir]').allTextContents();
  const alerts = () => page.getByRole('alert').allTextContents();

  it('keeps files in the browser, and lets the user add and remove them', async () => {
    await show(page, 'PhotoPicker');
    await choose(file('cat.png', 'image/png'));
    await choose(file('dog.png', 'image/png'));
    expect(await names()).toEqual(['cat.png', 'dog.png']);
    await page.getByRole('button', { name: 'Remove cat.png' }).click();
    expect(await names()).toEqual(['dog.png']);
    await page.getByRole('button', { name: 'Remove dog.png' }).press('Enter');
    expect(await names()).toEqual([]);
    expect(await page.evaluate("document.activeElement.matches('fieldset')")).toBe(true);
  });

  it('states the allowed types, number and size, and checks them at once', async () => {
    await show(page, 'DocumentPicker');
    const [told] = await page.locator('fieldset').allInnerTexts();
    expect(told).toContain('Add 0 to 2 documents.');
    expect(told).toContain('Max file size 1 KB. Only files of these types: application/pdf, image/jpeg.');
    await choose(file('a.txt', 'text/plain'));
    expect(await alerts()).toEqual(['Only files of these types: application/pdf, image/jpeg.']);
    await page.getByRole('button', { name: 'Remove a.txt' }).click();
    expect(await alerts()).toEqual([]);
    await choose(file('a.pdf', 'application/pdf', 1025));
    expect(await alerts()).toEqual(['At most 1 KB for each file.']);
    await page.getByRole('button', { name: 'Remove a.pdf' }).click();
    await choose(file('a.pdf', 'application/pdf'), file('b.pdf', 'application/pdf'), file('c.jpg', 'image/jpeg'));
    expect(await alerts()).toEqual(['Choose at most 2.']);
  });
});

describe('every theme', () => {
  it.each([
    ['Android', 'Dark'],
    ['iOS', 'Light'],
  ])('is readable and accessible: %s, %s', async (system, theme) => {
    await page.getByLabel(system).check();
    await page.getByLabel(theme).check();
    await show(page, 'CheckboxGroup');
    expect(await seriousIn(page, '.preview')).toEqual([]);
  });

  it('fits a phone, and works from right to left', async () => {
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
                { type: 'DatePicker', name: 'day', label: 'اليوم', 'helper-text': 'اختر يوما' },
                {
                  type: 'CheckboxGroup',
                  name: 'seats',
                  label: 'المقعد',
                  'data-source': [
                    { id: 'in', title: 'في الداخل', description: 'قرب النافذة' },
                    { id: 'out', title: 'على الشرفة', metadata: 'للمدخنين' },
                  ],
                },
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
    expect(await seriousIn(phone, '.preview')).toEqual([]);
    const overflow = await phone.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    const button = await phone.getByRole('button', { name: 'التالي' }).boundingBox();
    expect(button && button.y + button.height).toBeLessThan(740);
    expect(await phone.locator('.opt-in:dir(rtl)').count()).toBe(1);
    await phone.getByRole('button', { name: 'Open the calendar' }).click();
    expect(await seriousIn(phone, 'dialog')).toEqual([]);
    const day = phone.locator('dialog :focus');
    expect(await day.textContent()).toBe('1');
    await phone.keyboard.press('ArrowLeft');
    expect(await day.textContent()).toBe('2');
  });
});

describe('with forced colours', () => {
  it('selected options can be distinguished from others', async () => {
    const visitor = await previews.open(galleryFlow, { browser: { forcedColors: 'active' } });
    const backgrounds = (selector: string) =>
      visitor.evaluate(
        `[...document.querySelectorAll('${selector}')].map((element) => getComputedStyle(element).backgroundColor)`,
      );
    await visitor.locator('.panel').waitFor();
    const [paper] = (await backgrounds('body')) as string[];
    await show(visitor, 'ChipsSelector');
    expect(await backgrounds('.chips .option:has(:checked)')).not.toContain(paper);
    await show(visitor, 'CalendarPicker');
    await visitor.getByRole('button', { name: 'Open the calendar' }).last().click();
    await visitor.getByRole('dialog').waitFor();
    expect(await backgrounds('[aria-selected=true] button')).not.toContain(paper);
    await visitor.keyboard.press('Escape');
    await show(visitor, 'RadioButtonsGroup');
    await visitor.locator('.swatch').first().waitFor();
    expect(await backgrounds('.swatch')).toEqual(['rgb(204, 0, 0)', 'rgb(0, 170, 0)']);
  });
});

describe('the keyboard', () => {
  it('suffices from the secret to the final payload', async () => {
    const { url, secret } = await previews.newPreview(demoFlow);
    const visitor = await previews.visit(url);
    const { keyboard } = visitor;
    const focused = () => visitor.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
    const tabTo = async (locator: Locator) => {
      for (let pressed = 0; pressed < 30; pressed += 1) {
        if (await locator.evaluate((element) => element.matches(':focus'))) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${locator}`);
    };

    await visitor.locator('#secret:focus').waitFor();
    await keyboard.type(secret);
    await keyboard.press('Enter');
    await title(visitor, 'Book a table');
    await tabTo(visitor.getByRole('button', { name: 'Open the calendar' }));
    await keyboard.press('Enter');
    await visitor.getByRole('dialog').waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await visitor.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Open the calendar');
    await tabTo(visitor.getByLabel('Lunch'));
    await keyboard.press('ArrowDown');
    await tabTo(visitor.getByLabel('At the window'));
    await keyboard.press('Space');
    await tabTo(visitor.getByLabel('Guests'));
    await keyboard.type('3');
    await tabTo(visitor.getByRole('button', { name: 'Next' }));
    await keyboard.press('Enter');

    await title(visitor, 'Who is coming?');
    expect(await focused()).toBe('Who is coming?');
    await tabTo(visitor.getByRole('button', { name: 'Book', exact: true }));
    await keyboard.press('Enter');
    expect(await visitor.getByLabel('Your name').evaluate((input) => input.matches(':focus'))).toBe(true);
    await keyboard.type('Ana');
    await tabTo(visitor.getByLabel('I agree to the house rules'));
    await keyboard.press('Space');
    await tabTo(visitor.getByRole('button', { name: 'Book', exact: true }));
    await keyboard.press('Enter');
    await title(visitor, 'Flow completed');
    expect(await focused()).toBe('Flow completed');
    expect(await finalPayload(visitor)).toMatchObject({ day: '2026-12-08', time: 'dinner', guests: '3', name: 'Ana' });
  });
});

describe('the panel', () => {
  it('shows the final payload, a link to copy, and a button to restart the Flow', async () => {
    const visitor = await previews.open(demoFlow, {
      hash: 'GUEST',
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const clipboard = () => visitor.evaluate('navigator.clipboard.readText()');
    await visitor.getByRole('button', { name: 'Copy link' }).click();
    await visitor.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await clipboard()).toMatch(/\/v2\/flows\/preview\/[\da-f-]{36}#GUEST$/);
    await visitor.getByLabel('Your name').fill('Ana');
    await visitor.getByLabel('I agree to the house rules').check();
    await visitor.getByRole('button', { name: 'Book', exact: true }).click();
    await visitor.locator('.phone').getByRole('button', { name: 'Copy' }).click();
    await visitor.locator('.phone').getByRole('button', { name: 'Copied' }).waitFor();
    expect(JSON.parse(String(await clipboard()))).toEqual(await finalPayload(visitor));
    await visitor.getByRole('button', { name: 'Restart' }).click();
    await title(visitor, 'Book a table');
  });
});
