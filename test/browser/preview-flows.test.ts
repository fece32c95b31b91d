import { describe, expect } from 'vitest';
import demoFlow from '#local/demo-flow.json' with { type: 'json' };
import { type Received, type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { it, type Previews } from './preview-page.ts';
import { finalPayload, findingsIn, seriousIn, title } from './reading.ts';
import { slotsAnswer, slotsFlow } from './slots.ts';

let previews: Previews;
let receiver: Receiver;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
  receiver = await startReceiver();
});
it.afterAll(async () => {
  await previews.endFile();
  await receiver.close();
});

describe('a static Flow', () => {
  it('runs from its first screen to the final payload, and checks each input', async () => {
    const page = await previews.open(demoFlow, {
      flow: { name: 'Book a table' },
      browser: { viewport: { width: 960, height: 700 } },
    });
    await title(page, 'Book a table');
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    expect(await page.getByRole('alert').allTextContents()).toEqual(Array(3).fill('Fill in this field.'));
    expect(await page.getByLabel('Day').evaluate((day) => day.matches(':focus'))).toBe(true);

    await page.getByLabel('Day').fill('2026-12-24');
    expect(await page.getByLabel('Near the stage').count()).toBe(0);
    await page.getByLabel('Dinner').check();
    await page.getByText('Near the stage').click();
    await page.getByLabel('Guests').selectOption('4');
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
      flow_token: expect.stringMatching(/^preview-/),
    });
    expect(await page.locator('.activities b').allTextContents()).toEqual(['complete', 'navigate', 'back', 'navigate']);
    await page.getByRole('button', { name: 'Restart' }).click();
    await title(page, 'Book a table');
    expect(page.troubles).toEqual([]);
  });

  it('closes to the message that sends it, and opens again from its first screen', async () => {
    const page = await previews.open(demoFlow, { flow: { name: 'Our tables' } });
    const isFocused = (name: string) => page.locator(':focus', { hasText: name }).waitFor();
    await title(page, 'Book a table');
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await page.getByLabel('Guests').selectOption('4');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('main .bubble').getByText('Our tables').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    await isFocused('Open');
    await page.keyboard.press('Enter');
    await isFocused('Book a table');
    expect(await page.getByLabel('Guests').inputValue()).toBe('');

    const menu = page.locator('.menu');
    await page.getByLabel('Menu').click();
    await menu.getByRole('button', { name: 'Close' }).click();
    await page.locator('main .bubble').waitFor();
    // A link to a screen opens the Flow.
    await page.getByRole('link', { name: 'GUEST' }).click();
    await title(page, 'Who is coming?');
    await page.getByLabel('Menu').click();
    await menu.getByRole('button', { name: 'Restart' }).click();
    await title(page, 'Book a table');
    expect(page.troubles).toEqual([]);
  });

  it('has no findings of axe, open, with its menu, and closed', async () => {
    const page = await previews.open(demoFlow);
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await findingsIn(page, '.preview')).toEqual([]);
    await page.getByLabel('Menu').click();
    expect(await findingsIn(page, '.preview')).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.locator('main .bubble').waitFor();
    expect(await findingsIn(page, '.preview')).toEqual([]);
  });

  it('lists the inputs that its chat summary leaves out, and reports a missing screen', async () => {
    const to = (name: string) => ({ name: 'navigate', next: { type: 'screen', name }, payload: {} });
    const page = await previews.open({
      version: '7.3',
      screens: [
        {
          id: 'CARD',
          title: 'Your card',
          terminal: true,
          sensitive: ['digits'],
          layout: {
            type: 'SingleColumnLayout',
            children: [
              { type: 'TextInput', name: 'digits', label: 'Digits' },
              { type: 'EmbeddedLink', text: 'Terms', 'on-click-action': to('NOWHERE') },
              { type: 'Footer', label: 'Pay', 'on-click-action': { name: 'complete', payload: {} } },
            ],
          },
        },
      ],
    });
    await page.getByRole('button', { name: 'Terms' }).click();
    await page.getByRole('alert').getByText('The Flow has no screen NOWHERE.').waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Hidden from the chat summary: digits.').waitFor();
  });

  it('shows the findings of the validator', async () => {
    const page = await previews.open({ ...demoFlow, screens: demoFlow.screens.slice(0, 1) });
    expect(await page.locator('.findings').textContent()).toContain('MISSING_TERMINAL_SCREEN');
  });
});

/** The endpoint, which fails on late slots. */
function answerTo({ body }: Received) {
  const request = JSON.parse(body.toString());
  return request.data?.slot === 'late'
    ? { status: 500, body: 'out of slots' }
    : { body: JSON.stringify(slotsAnswer(request)) };
}

/** The Flow, with more on its first screen. */
function withComponents(...more: object[]) {
  const screens = slotsFlow.screens.map(({ layout, ...screen }, at) => ({
    ...screen,
    layout: { ...layout, children: at === 0 ? [...more, ...layout.children] : layout.children },
  }));
  return { ...slotsFlow, screens };
}

describe('a dynamic Flow', () => {
  it('calls its endpoint through the service, and shows errors', async () => {
    receiver.script('/flow', answerTo);
    const page = await previews.open(slotsFlow, {
      flow: { endpoint_url: `${receiver.url}/flow`, endpoint_encrypted: false },
    });
    await title(page, 'Choose a day');
    await page.getByLabel('Day', { exact: true }).selectOption('mon');
    const find = page.getByRole('button', { name: 'Find slots' });
    await find.click();
    await page.getByRole('alert').getByText('Mondays are full.').waitFor();
    expect(await find.evaluate((button) => button.matches(':focus'))).toBe(true);

    await page.getByLabel('Day', { exact: true }).selectOption('tue');
    await find.click();
    await title(page, 'Choose a slot');
    await page.getByText('The response has data.weather, which its screen does not declare').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await title(page, 'Choose a day');
    await find.click();

    await page.getByLabel('21:00').check();
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('alert').getByText('The endpoint returned 500 instead of 200.').waitFor();
    expect(await page.locator('.activities details').first().textContent()).toContain('out of slots');
    await page.getByLabel('9:00').check();
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await title(page, 'Flow completed');
    expect(await finalPayload(page)).toEqual({ flow_token: 'token', slot: 'early' });

    const asked = receiver.received('/flow').map(({ body }) => JSON.parse(body.toString()));
    const listed = await page.locator('.activities pre:first-of-type').allTextContents();
    expect(listed.map((text) => JSON.parse(text)).toReversed()).toEqual(asked);
    expect(asked[0]).toEqual({ version: '3.0', action: 'INIT', data: {}, flow_token: expect.any(String) });
    expect(asked.map(({ action }) => action)).toEqual([
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

  it('accepts no input while a response is awaited, and remains readable', async () => {
    receiver.script('/slow', answerTo);
    const link = {
      type: 'EmbeddedLink',
      text: 'Skip',
      'on-click-action': { name: 'navigate', next: { type: 'screen', name: 'SLOT' }, payload: {} },
    };
    const page = await previews.open(withComponents(link), {
      flow: { endpoint_url: `${receiver.url}/slow`, endpoint_encrypted: false },
    });
    await title(page, 'Choose a day');
    await page.getByLabel('Day', { exact: true }).selectOption('tue');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/exchange', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Find slots' }).press('Enter');
    await page.getByRole('status').getByText('Waiting for the endpoint…').waitFor();
    expect(await page.locator('.phone [aria-busy=true] [role=status]').count()).toBe(0);
    expect(await seriousIn(page, '.phone')).toEqual([]);
    await page.getByRole('button', { name: 'Skip' }).press('Enter');
    expect(await page.locator('.activities b').allTextContents()).toEqual(['INIT']);
    release();
    await title(page, 'Choose a slot');
  });

  it('shows errors where they are visible, even on a screen that is longer than the phone', async () => {
    receiver.script('/long', answerTo);
    const words = Array.from({ length: 12 }, (_, at) => ({
      type: 'TextInput',
      name: `word${at}`,
      label: `Word ${at}`,
    }));
    const ask = { name: 'data_exchange', payload: { day: 'mon' } };
    const page = await previews.open(
      withComponents({ type: 'EmbeddedLink', text: 'Ask', 'on-click-action': ask }, ...words),
      {
        flow: { endpoint_url: `${receiver.url}/long`, endpoint_encrypted: false },
        browser: { viewport: { width: 360, height: 740 } },
      },
    );
    await title(page, 'Choose a day');
    await page.getByRole('button', { name: 'Ask' }).click();
    const alert = page.getByRole('alert').getByText('Mondays are full.');
    await alert.waitFor();
    const { y = 0, height = 0 } = (await alert.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(740);
  });

  it('is not blank if its endpoint does not respond', async () => {
    receiver.script('/gone', ['reset']);
    const page = await previews.open(slotsFlow, {
      flow: { endpoint_url: `${receiver.url}/gone`, endpoint_encrypted: false },
    });
    await page.getByRole('alert').first().waitFor();
    await page.getByText('There is nothing to show.').waitFor();
    await page.getByRole('link', { name: 'DAY' }).click();
    await title(page, 'Choose a day');
  });
});
