import { describe, expect } from 'vitest';
import { dynamic } from './dynamic.ts';
import { galleryFlow } from './gallery.ts';
import { it, type Previews } from './preview-page.ts';

let previews: Previews;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
});
it.afterAll(() => previews.endFile());

const script = '"></script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>';
const markup = `[go](javascript:alert(4)) ![x](data:text/html;base64,PHNjcmlwdD4=) ${script}`;
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>').toString('base64');

function nested(depth: number): object {
  if (depth === 0) return { type: 'TextBody', text: 'deep' };
  // biome-ignore lint/suspicious/noThenProperty: the name is Meta's, and nothing awaits this document.
  return { type: 'If', condition: 'true', then: [nested(depth - 1)] };
}

/** What a screen contains, by its id. */
const screens: Record<string, unknown> = {
  addresses: [
    { type: 'EmbeddedLink', text: 'go', 'on-click-action': { name: 'open_url', url: 'javascript:alert(6)' } },
    { type: 'Image', src: `data:image/svg+xml;base64,${svg}`, 'alt-text': script },
    { type: 'Image', src: 'https://evil.example/pixel.png' },
    {
      type: 'RichText',
      text: ['![p](https://evil.example/pixel.png)', '[x](data:text/html,<script>alert(7)</script>)'],
    },
  ],
  'names of prototypes': [
    { type: 'constructor', name: '__proto__', label: 'x' },
    { type: 'TextInput', name: '__proto__', label: dynamic('data.__proto__.constructor') },
    { type: 'Switch', value: dynamic('form.__proto__'), cases: { __proto__: [], constructor: [] } },
  ],
  'values of wrong types': [
    { type: 'TextHeading', text: { toString: 1 } },
    { type: 'Dropdown', name: 'd', label: [1], 'data-source': 'no list' },
    { type: 'CheckboxGroup', name: 7, label: null, 'data-source': [null, 1, [], { id: {} }] },
    { type: 'NavigationList', name: 'n', 'list-items': [null, 3] },
    { type: 'CalendarPicker', name: 'c', mode: 'range', label: 'x', 'init-value': 3 },
    { type: 'ImageCarousel', images: 4 },
    { type: 'Footer', label: 1, 'on-click-action': 'no action' },
    null,
    3,
  ],
  'deep nesting': [nested(60)],
  'a choice by what cannot be made text': [{ type: 'Switch', value: dynamic('data.odd'), cases: { a: [] } }],
  'many options and a pattern that hangs others': [
    {
      type: 'Dropdown',
      name: 'many',
      label: 'Many',
      'data-source': Array.from({ length: 20_000 }, (_, id) => ({ id: String(id), title: String(id) })),
    },
    {
      type: 'TextInput',
      name: 'evil',
      label: 'Evil',
      pattern: '^(a+)+$',
      'helper-text': 'x',
      'init-value': `${'a'.repeat(60)}!`,
    },
    { type: 'Footer', label: 'Go', 'on-click-action': { name: 'complete', payload: {} } },
  ],
};

const hostileFlow = {
  version: '7.3',
  screens: Object.entries(screens).map(([id, children]) => ({
    id,
    title: script,
    terminal: true,
    data: { odd: { type: 'object', __example__: { toString: 1, valueOf: 1 } } },
    layout: { type: 'SingleColumnLayout', children },
  })),
};

/** Every text of the gallery that is shown, or that other texts point to, with script in it. */
function poisoned(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poisoned(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, poisoned(member, key)]));
  }
  if (typeof value !== 'string' || keptNames.has(name)) return value;
  return name === 'url' ? `javascript:alert(9)//${value}` : `${value} ${markup}`;
}

/** The members that a phone needs to draw anything. */
const keptNames = new Set(['type', 'input-type', 'mode', 'scale-type', 'condition', 'value', 'next', 'include-days']);

const poisonedGallery = {
  ...galleryFlow,
  screens: galleryFlow.screens.map(({ layout, ...screen }) => ({
    ...screen,
    title: `${screen.title} ${script}`,
    layout: { ...layout, children: poisoned(layout.children) },
  })),
};

describe('a hostile Flow', () => {
  it('with script in every text of every component runs nothing and sends no requests elsewhere', async () => {
    const page = await previews.open(poisonedGallery);
    for (const link of await page.locator('.screens a').all()) {
      await link.click();
      for (const control of await page.locator('.screen :is(button, input, select, summary):enabled').all()) {
        if (await control.isVisible()) await control.dispatchEvent('click');
      }
      await page.keyboard.press('Escape');
    }
    expect(page.troubles).toEqual([]);
    const elsewhere = page.requested.filter((address) => !address.startsWith(previews.service.baseUrl));
    expect(elsewhere.filter((address) => !address.startsWith('data:'))).toEqual([]);
    expect(page.context().pages()).toHaveLength(1);
  });

  it('that managed to insert markup or script would be stopped by the content security policy', async () => {
    const page = await previews.open(galleryFlow);
    const attempts = [
      "document.body.innerHTML = '<img src=x onerror=alert(1)>'",
      "document.body.append(Object.assign(document.createElement('script'), { text: 'alert(2)' }))",
      "fetch('https://evil.example/', { mode: 'no-cors' })",
    ];
    for (const attempt of attempts) await expect(page.evaluate(attempt)).rejects.toThrow();
    await page.evaluate("document.body.append(Object.assign(new Image(), { src: 'https://evil.example/pixel.png' }))");
    await expect.poll(() => page.troubles.length).toBeGreaterThanOrEqual(attempts.length);
    expect(page.troubles.filter((trouble) => trouble.startsWith('dialog'))).toEqual([]);
  });

  it('draws every screen, runs nothing and sends no requests elsewhere', async () => {
    const page = await previews.open(hostileFlow, { flow: { name: `canary ${script}` } });
    const links = await page.locator('.screens a').all();
    expect(links).toHaveLength(Object.keys(screens).length);
    for (const link of links) {
      await link.click();
      for (const button of await page.locator('.phone .screen button:enabled').all()) await button.click();
      // A calendar may be open.
      await page.keyboard.press('Escape');
      expect(await page.locator('.screen > *').count()).toBeGreaterThan(0);
    }
    expect(page.troubles).toEqual([]);
    const elsewhere = page.requested.filter((address) => !address.startsWith(previews.service.baseUrl));
    expect(elsewhere.filter((address) => !address.startsWith('data:'))).toEqual([]);
  });

  it('without screens leads to a page', async () => {
    const page = await previews.open({ version: '7.3', screens: 'none' });
    await page.locator('.panel').waitFor();
    expect(await page.locator('.screen > *').count()).toBeGreaterThan(0);
    expect(page.troubles).toEqual([]);
  });
});
