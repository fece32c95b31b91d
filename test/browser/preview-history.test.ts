import { describe, expect } from 'vitest';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { dynamic } from './dynamic.ts';
import { it, type Previews, type WatchedPage } from './preview-page.ts';
import { title } from './reading.ts';

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

const screen = (id: string, action: object, rest: object = {}) => ({
  id,
  title: `Screen ${id}`,
  layout: {
    type: 'SingleColumnLayout',
    children: [
      { type: 'TextInput', name: 'word', label: 'Word' },
      { type: 'Footer', label: 'Go on', 'on-click-action': action },
    ],
  },
  ...rest,
});
const to = (name: string) => ({ name: 'navigate', next: { type: 'screen', name }, payload: {} });
const steps = {
  version: '7.3',
  screens: [
    screen('A', to('B')),
    screen('B', to('C')),
    screen('C', { name: 'complete', payload: { word: dynamic('form.word') } }, { terminal: true }),
  ],
};

const goOn = (page: WatchedPage) => page.getByRole('button', { name: 'Go on' }).click();
const activities = (page: WatchedPage) => page.locator('.activities b').allTextContents();

describe("the browser's back button", () => {
  it('goes back as on the phone, and forward has no effect', async () => {
    const page = await previews.open(steps);
    await title(page, 'Screen A');
    await page.getByLabel('Word').fill('apple');
    await goOn(page);
    await title(page, 'Screen B');
    await goOn(page);
    await title(page, 'Screen C');
    await page.goBack();
    await title(page, 'Screen B');
    await page.getByRole('button', { name: 'Back' }).click();
    await title(page, 'Screen A');
    expect(await page.getByLabel('Word').inputValue()).toBe('apple');
    await page.goForward();
    await title(page, 'Screen A');
    await goOn(page);
    await title(page, 'Screen B');
    await page.goBack();
    await title(page, 'Screen A');
    expect(await activities(page)).toEqual(['back', 'navigate', 'back', 'back', 'navigate', 'navigate']);
    expect(page.troubles).toEqual([]);
  });

  it('can go several steps at once, and a completed Flow stays completed until it is restarted', async () => {
    const page = await previews.open(steps);
    await goOn(page);
    await goOn(page);
    await title(page, 'Screen C');
    await page.evaluate('history.go(-2)');
    await title(page, 'Screen A');
    await goOn(page);
    await goOn(page);
    await goOn(page);
    await title(page, 'Flow completed');
    await page.evaluate('history.go(-2)');
    await page.waitForFunction('history.state === 1');
    await title(page, 'Flow completed');
    await page.getByRole('button', { name: 'Restart' }).click();
    await title(page, 'Screen A');
  });

  it('calls the endpoint when the phone would', async () => {
    receiver.script('/flow', ({ body }) => {
      const { action } = JSON.parse(body.toString());
      return { body: JSON.stringify({ screen: action === 'data_exchange' ? 'B' : 'A', data: {} }) };
    });
    const page = await previews.open(
      {
        version: '7.3',
        data_api_version: '3.0',
        routing_model: { A: ['B'], B: [] },
        screens: [
          screen('A', { name: 'data_exchange', payload: {} }),
          screen('B', { name: 'data_exchange', payload: {} }, { terminal: true, refresh_on_back: true }),
        ],
      },
      { flow: { endpoint_url: `${receiver.url}/flow`, endpoint_encrypted: false } },
    );
    await title(page, 'Screen A');
    await goOn(page);
    await title(page, 'Screen B');
    await page.goBack();
    await title(page, 'Screen A');
    await page.locator('.activities b').getByText('BACK', { exact: true }).waitFor();
    await goOn(page);
    await title(page, 'Screen B');
    const requests = receiver.received('/flow').map(({ body }) => JSON.parse(body.toString()));
    expect(requests.map(({ action, screen }) => [action, screen])).toEqual([
      ['INIT', undefined],
      ['data_exchange', 'A'],
      ['BACK', 'B'],
      ['data_exchange', 'A'],
    ]);
  });
});

describe('a link to a screen', () => {
  it('shows the screen on its own each time it is followed', async () => {
    const page = await previews.open(steps, { hash: 'B' });
    await title(page, 'Screen B');
    const word = page.getByLabel('Word');
    const link = page.getByRole('link', { name: 'B Screen B' });
    for (const _ of [1, 2]) {
      await word.fill('typed');
      await link.click();
      await expect.poll(() => word.inputValue()).toBe('');
      await title(page, 'Screen B');
    }
    await goOn(page);
    await title(page, 'Screen C');
    await link.click();
    await title(page, 'Screen B');
    await page.getByRole('link', { name: 'A Screen A' }).click();
    await title(page, 'Screen A');
    await page.goBack();
    await title(page, 'Screen B');
    await page.reload();
    await title(page, 'Screen B');
    expect(page.troubles).toEqual([]);
  });
});
