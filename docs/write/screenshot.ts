/** Takes the pictures of the console for the README, light and dark: `npm run screenshot`. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openConsole } from '#local/console/console.ts';
import demoFlow from '#local/demo-flow.json' with { type: 'json' };
import { seededNumbers, seededTokens } from '#local/seed.ts';
import { buildInto, builtFolders } from '#local/start/build.ts';
import { startWorld, type World } from '#local/world.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';
import { launchChromium } from '#test/browser/chromium.ts';

const images = join(import.meta.dirname, '../images');
const number = seededNumbers[0] as PhoneNumber;
const people = [
  { id: '5511955550142', name: 'Bruno Lima', text: 'Thanks, see you on Friday!' },
  { id: '5511988887777', name: 'Ana Souza', text: 'Hi! Do you have a table for two tonight?' },
] as const;
const [, guest] = people;

const folder = await mkdtemp(join(tmpdir(), 'screenshot-'));
try {
  await take();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function take(): Promise<void> {
  const build = join(folder, 'build');
  await buildInto(build);
  const { assemblyDirectory, consoleDirectory: assets } = builtFolders(build);
  const { serve, ...heard } = openConsole();
  const world = await startWorld({
    ...worldDefaults,
    ...heard,
    templateFile: join(assemblyDirectory, 'messaging-dev.template.json'),
    dataDir: join(folder, 'data'),
    onLog: () => undefined,
    onError: console.error,
  });
  const served = await serve(world, { port: 0, assets });
  const browser = await launchChromium();
  try {
    await talk(world, served.url);
    await mkdir(images, { recursive: true });
    for (const theme of ['light', 'dark'] as const) await photograph(browser, served.url, theme);
  } finally {
    await browser.close();
    await served.close();
    await world.close();
  }
}

/** A conversation in which a Flow is sent. */
async function talk({ description }: World, consoleUrl: string): Promise<void> {
  const { base_url, upstream_url, workspaces } = description;
  const service = (method: string, path: string, body?: object) => call(method, `${base_url}/v2${path}`, body);
  const simulate = (method: string, path: string, body: object) =>
    call(method, `${upstream_url}/simulator/${path}`, body);
  const own = `/messaging/numbers/${number.id}`;
  const send = (message: object) => service('POST', `${own}/messages`, { to: guest.id, ...message });

  await service('PUT', `${own}/webhook`, { webhook: `${consoleUrl}/receiver/${number.id}/webhook` });
  for (const { id, name, text } of people) {
    await simulate('PUT', `contacts/${id}`, { name });
    const event = {
      type: 'text',
      phone_number_id: number.phone_number_id,
      contact: { wa_id: id },
      text: { body: text },
    };
    await simulate('POST', 'events', { events: [event] });
  }
  const flows = `/workspaces/${workspaces[0]?.id}/flows`;
  const { id: flow } = (await service('POST', flows, { name: 'Book a table', categories: [3] })) as { id: string };
  await service('PUT', `${flows}/${flow}/json`, { json: demoFlow });
  await service('POST', `${flows}/${flow}/publish`);
  await send({ type: 'text', text: { body: 'Good evening, Ana! We do. Which time suits you?' } });
  await send({
    type: 'flow',
    flow: { flow, cta: 'Book a table', body: 'Choose the day and the time, and we keep a table for you.' },
  });
  const answer = { day: '2026-12-24', time: 'dinner', guests: '2', name: 'Ana' };
  await simulate('POST', 'messages/latest/complete-flow', { response: answer });
  await send({ type: 'text', text: { body: 'Your table is booked. See you soon!' } });
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${seededTokens.owner}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url} responded ${response.status}: ${await response.text()}`);
  return response.json().catch(() => undefined);
}

async function photograph(browser: Browser, consoleUrl: string, theme: 'light' | 'dark'): Promise<void> {
  const viewport = { width: 1280, height: 640 };
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, colorScheme: theme, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${consoleUrl}/#/phone/${number.phone_number_id}/${guest.id}`);
  await page.locator('.bubble', { hasText: 'delivered' }).last().waitFor();
  await page.getByRole('button', { name: 'Book a table', exact: true }).waitFor();
  await page.screenshot({ path: join(images, `console-${theme}.png`), animations: 'disabled' });
  await context.close();
}
