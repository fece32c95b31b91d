import { describe, expect } from 'vitest';
import { dynamic } from './dynamic.ts';
import { it, type Previews, type WatchedPage } from './preview-page.ts';
import { finalPayload, seriousIn } from './reading.ts';

let previews: Previews;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
});
it.afterAll(() => previews.endFile());

/** A Flow with these pickers, which sends what `value` holds. */
const flowWith = (version: string, ...children: object[]) => ({
  version,
  screens: [
    {
      id: 'STAY',
      title: 'Your stay',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          ...children,
          {
            type: 'Footer',
            label: 'Send',
            'on-click-action': { name: 'complete', payload: { value: dynamic('form.value') } },
          },
        ],
      },
    },
  ],
});

const openCalendar = (page: WatchedPage) => page.getByRole('button', { name: 'Open the calendar' }).click();
const day = (page: WatchedPage, name: string) => page.getByRole('button', { name, exact: true });
/** Also what is marked as disabled. */
const press = (page: WatchedPage, name: string) => day(page, name).click({ force: true });
const focused = (page: WatchedPage) => page.evaluate('document.activeElement.ariaLabel');
const send = async (page: WatchedPage) => {
  await page.getByRole('button', { name: 'Send' }).click();
  return (await finalPayload(page)).value;
};

describe('a DatePicker', () => {
  const picker = {
    type: 'DatePicker',
    name: 'value',
    label: 'Arrival',
    required: true,
    'min-date': '2026-12-03',
    'max-date': '2027-03-31',
    'unavailable-dates': ['2026-12-24', '2026-12-25'],
  };

  it('has a calendar for the keyboard that offers only valid days', async () => {
    const page = await previews.open(flowWith('7.3', picker));
    await openCalendar(page);
    await page.getByRole('dialog', { name: 'Arrival' }).waitFor();
    const pressed = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused(page);
    };
    expect(await focused(page)).toBe('Thursday, December 3, 2026');
    expect(await pressed('ArrowLeft', 'ArrowDown')).toBe('Wednesday, December 9, 2026');
    expect(await pressed('Home')).toBe('Sunday, December 6, 2026');
    expect(await pressed('End', 'ArrowUp', 'ArrowLeft')).toBe('Friday, December 4, 2026');
    expect(await pressed('PageDown')).toBe('Monday, January 4, 2027');
    expect(await pressed('Shift+PageUp')).toBe('Sunday, January 4, 2026');
    expect(await pressed('Shift+PageDown', 'PageUp')).toBe('Friday, December 4, 2026');
    await pressed('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Open the calendar');

    await pressed('Enter');
    for (const closed of ['Wednesday, December 2, 2026', 'Thursday, December 24, 2026']) {
      await press(page, closed);
      expect(await day(page, closed).getAttribute('aria-disabled')).toBe('true');
    }
    expect(await seriousIn(page, 'dialog')).toEqual([]);
    await day(page, 'Saturday, December 26, 2026').click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Arrival').inputValue()).toBe('2026-12-26');
    expect(await send(page)).toBe('2026-12-26');
    expect(page.troubles).toEqual([]);
  });

  it('shows its label in place of a date until one is chosen, and opens the calendar at a tap', async () => {
    const page = await previews.open(flowWith('7.3', picker));
    const colour = () =>
      page.getByLabel('Arrival').evaluate((input) => Reflect.get(globalThis, 'getComputedStyle')(input).color);
    expect(await colour()).toBe('rgba(0, 0, 0, 0)');
    await page.getByLabel('Arrival').click();
    await day(page, 'Saturday, December 26, 2026').click();
    expect(await page.getByLabel('Arrival').inputValue()).toBe('2026-12-26');
    expect(await colour()).not.toBe('rgba(0, 0, 0, 0)');
  });

  it('accepts typed dates too, and reports errors at once', async () => {
    const page = await previews.open(flowWith('7.3', picker));
    const input = page.getByLabel('Arrival');
    await input.pressSequentially('12242026');
    await page.getByRole('alert').getByText('This date is not available.').waitFor();
    await input.fill('2026-12-26');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await send(page)).toBe('2026-12-26');
  });
});

describe('a CalendarPicker', () => {
  const period = {
    type: 'CalendarPicker',
    name: 'value',
    mode: 'range',
    title: 'When?',
    label: { 'start-date': 'Arrival', 'end-date': 'Departure' },
    required: { 'start-date': true, 'end-date': true },
    'min-date': '2026-12-01',
    'min-days': 3,
    'max-days': 7,
  };

  it('accepts a period with a limited number of days', async () => {
    const page = await previews.open(flowWith('7.3', period));
    await openCalendar(page);
    await day(page, 'Thursday, December 10, 2026').click();
    await page.getByRole('dialog', { name: 'Departure' }).waitFor();
    await press(page, 'Friday, December 11, 2026');
    await press(page, 'Thursday, December 17, 2026');
    await day(page, 'Wednesday, December 9, 2026').click();
    await day(page, 'Saturday, December 12, 2026').click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await openCalendar(page);
    expect(await page.locator('[aria-selected=true]').allInnerTexts()).toEqual(['9', '10', '11', '12']);
    await page.keyboard.press('Escape');
    expect(await send(page)).toEqual({ 'start-date': '2026-12-09', 'end-date': '2026-12-12' });
  });

  it('offers only the included days of the week', async () => {
    const single = { type: 'CalendarPicker', name: 'value', label: 'Day', 'include-days': ['Mon', 'Tue'] };
    const page = await previews.open(flowWith('7.3', single), { browser: { locale: 'es' } });
    await page.getByRole('button', { name: 'Abrir el calendario' }).click();
    expect(await page.locator('dialog th').allInnerTexts()).toEqual(['L', 'M', 'X', 'J', 'V', 'S', 'D']);
    const open = page.locator('dialog td button:not([aria-disabled=true])');
    expect(await open.count()).toBe(9);
    await day(page, 'lunes, 7 de diciembre de 2026').click();
    expect(await send(page)).toBe('2026-12-07');
  });
});
