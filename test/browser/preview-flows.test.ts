import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import demoFlow from '../../local/demo-flow.json' with { type: 'json' };
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { dynamic } from './dynamic.ts';
import { type Previews, screenshot, startPreviews, type WatchedPage } from './preview-page.ts';

let previews: Previews;
let receiver: Receiver;
beforeAll(async () => {
  [previews, receiver] = await Promise.all([startPreviews(), startReceiver()]);
});
afterAll(async () => {
  await previews.close();
  await receiver.close();
});

const title = (page: WatchedPage, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const finalPayload = async (page: WatchedPage) => JSON.parse((await page.locator('.phone pre').textContent()) ?? '');

describe('a static Flow', () => {
  it('goes from its start to the final payload, checking what is entered', async () => {
    const page = await previews.open(demoFlow);
    await title(page, 'Book a table');
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    expect(await page.getByRole('alert').allTextContents()).toEqual(Array(3).fill('Fill this in.'));
    expect(await page.getByLabel('Day').evaluate((day) => day.matches(':focus'))).toBe(true);

    await page.getByLabel('Day').fill('2026-12-24');
    expect(await page.getByLabel('Near the stage').count()).toBe(0);
    await page.getByLabel('Dinner').check();
    await page.getByText('Near the stage').click();
    await page.getByLabel('Guests').selectOption('4');
    await screenshot(page, 'static-start');
    await next.click();

    await title(page, 'Who is coming?');
    await page.getByText('Table for 4 on 2026-12-24').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Guests').inputValue()).toBe('4');
    await next.click();

    await page.getByLabel('Your name').pressSequentially('A');
    await page.getByLabel('I agree to the house rules').check();
    const book = page.getByRole('button', { name: 'Book', exact: true });
    await book.click();
    expect(await page.getByRole('alert').allTextContents()).toEqual(['At least 2 characters.']);
    await page.getByLabel('Your name').pressSequentially('na');
    await book.click();

    await title(page, 'Flow completed');
    expect(await finalPayload(page)).toEqual({
      day: '2026-12-24',
      time: 'dinner',
      guests: '4',
      name: 'Ana',
      phone: '',
      wishes: '',
    });
    await screenshot(page, 'static-completed');
    expect(await page.locator('.activities b').allTextContents()).toEqual(['complete', 'navigate', 'back', 'navigate']);
    await page.getByRole('button', { name: 'Restart' }).click();
    await title(page, 'Book a table');
    expect(page.troubles).toEqual([]);
  });

  it('shows any of its screens by itself, by a link too', async () => {
    const page = await previews.open(demoFlow, { hash: 'GUEST' });
    await page.getByText('Table for 4 on 2026-11-28').waitFor();
    await page.getByRole('button', { name: 'TABLE' }).click();
    await title(page, 'Book a table');
  });

  it('is told what the validator finds', async () => {
    const page = await previews.open({ ...demoFlow, screens: demoFlow.screens.slice(0, 1) });
    expect(await page.locator('.findings').textContent()).toContain('MISSING_TERMINAL_SCREEN');
    await screenshot(page, 'findings');
  });
});

const dynamicFlow = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DAY: ['SLOT'], SLOT: [] },
  screens: [
    {
      id: 'DAY',
      title: 'Choose a day',
      data: { days: { type: 'array', items: { type: 'object', properties: {} }, __example__: [] } },
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'Dropdown', name: 'day', label: 'Day', 'data-source': dynamic('data.days'), required: true },
          {
            type: 'Footer',
            label: 'Find slots',
            'on-click-action': { name: 'data_exchange', payload: { day: dynamic('form.day') } },
          },
        ],
      },
    },
    {
      id: 'SLOT',
      title: 'Choose a slot',
      terminal: true,
      refresh_on_back: true,
      data: { slots: { type: 'array', items: { type: 'object', properties: {} }, __example__: [] } },
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'RadioButtonsGroup', name: 'slot', label: 'Slot', 'data-source': dynamic('data.slots') },
          {
            type: 'Footer',
            label: 'Book',
            'on-click-action': { name: 'data_exchange', payload: { slot: dynamic('form.slot') } },
          },
        ],
      },
    },
  ],
};

const days = [
  { id: 'mon', title: 'Monday' },
  { id: 'tue', title: 'Tuesday' },
];

/** A customer's endpoint: full on Mondays, and it forgets to declare `weather`. */
function answerTo({ body }: Received) {
  const { action, screen, data } = JSON.parse(body.toString());
  const reply = (answer: object) => ({ body: JSON.stringify(answer) });
  if (action !== 'data_exchange') return reply({ screen: 'DAY', data: { days } });
  if (data.slot === 'late') return { status: 500 };
  if (data.slot) {
    return reply({
      screen: 'SUCCESS',
      data: { extension_message_response: { params: { flow_token: 'token', slot: data.slot } } },
    });
  }
  if (data.day === 'mon') return reply({ screen, data: { error_message: 'Mondays are full.' } });
  const slots = [
    { id: 'early', title: '9:00' },
    { id: 'late', title: '21:00' },
  ];
  return reply({ screen: 'SLOT', data: { slots, weather: 'fine' } });
}

describe('a dynamic Flow', () => {
  it('talks to its endpoint through the service, and shows what goes wrong', async () => {
    receiver.script('/flow', answerTo);
    const page = await previews.open(dynamicFlow, {
      flow: { endpoint_url: `${receiver.url}/flow`, endpoint_encrypted: false },
    });
    await title(page, 'Choose a day');
    await page.getByLabel('Day', { exact: true }).selectOption('mon');
    const find = page.getByRole('button', { name: 'Find slots' });
    await find.click();
    await page.getByRole('alert').getByText('Mondays are full.').waitFor();
    await screenshot(page, 'dynamic-error-message');

    await page.getByLabel('Day', { exact: true }).selectOption('tue');
    await find.click();
    await title(page, 'Choose a slot');
    await page.getByText("The endpoint sent 'weather', which screen 'SLOT' does not declare.").waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await title(page, 'Choose a day');
    await find.click();

    await page.getByLabel('21:00').check();
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('alert').getByText('The endpoint answered 500 instead of 200.').waitFor();
    await page.getByLabel('9:00').check();
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await title(page, 'Flow completed');
    expect(await finalPayload(page)).toEqual({ flow_token: 'token', slot: 'early' });
    await screenshot(page, 'dynamic-completed');

    const actions = receiver.received('/flow').map(({ body }) => JSON.parse(body.toString()).action);
    expect(actions).toEqual([
      'INIT',
      'data_exchange',
      'data_exchange',
      'BACK',
      'data_exchange',
      'data_exchange',
      'data_exchange',
    ]);
    expect(page.requested.filter((address) => !address.startsWith(previews.service.baseUrl))).toEqual([]);
    expect(page.troubles).toEqual([]);
  });

  it('is not blank when its endpoint does not answer', async () => {
    receiver.script('/gone', ['reset']);
    const page = await previews.open(dynamicFlow, {
      flow: { endpoint_url: `${receiver.url}/gone`, endpoint_encrypted: false },
    });
    await page.getByRole('alert').first().waitFor();
    await page.getByText('There is nothing to show.').waitFor();
    await screenshot(page, 'dynamic-unreachable');
    await page.getByRole('button', { name: 'DAY' }).click();
    await title(page, 'Choose a day');
  });
});
