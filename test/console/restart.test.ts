import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../browser/chromium.ts';
import { press } from './console-page.ts';
import { type StartedProcess, startProgram, startWorldProcess, until, type WorldProcess } from './world-process.ts';

const contact = '5511900000701';

let run: WorldProcess;
let browser: Browser;
beforeAll(async () => {
  [run, browser] = await Promise.all([startWorldProcess(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await run.close();
});

const console = (path: string) => `${run.world.console_url}${path}`;
const json = { 'content-type': 'application/json' };

async function state() {
  const response = await fetch(console('/console/state'));
  return (await response.json()) as { deliveries: { state: string }[] };
}

const inbox = async () => ((await (await fetch(console('/simulator/inbox'))).json()) as { data: unknown[] }).data;

/** Points the webhook to the receiver of the console, and writes as many messages. */
async function write(count: number): Promise<void> {
  const [number] = run.world.numbers;
  const webhook = console(`/receiver/${number?.id}/webhook`);
  const body = JSON.stringify({ webhook });
  await fetch(console(`/service/v2/messaging/numbers/${number?.id}/webhook`), { method: 'PUT', headers: json, body });
  const event = {
    type: 'text',
    phone_number_id: number?.phone_number_id,
    contact: { wa_id: contact },
    text: { body: 'Hi' },
  };
  const events = Array.from({ length: count }, () => event);
  await fetch(console('/simulator/events'), { method: 'POST', headers: json, body: JSON.stringify({ events }) });
}

async function openPlatform(): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(console('/#/platform'));
  await page.getByRole('heading', { name: 'The whole world' }).waitFor();
  return page;
}

/** Waits for the next world. */
async function restarted(act: () => Promise<unknown>): Promise<void> {
  const before = run.starts();
  await act();
  await until(() => expect([run.starts(), run.process.exitCode]).toEqual([before + 1, null]));
}

describe('a world that runs', () => {
  it('is reset during deliveries, and its page follows by itself', async () => {
    await write(30);
    const page = await openPlatform();
    await press(page, 'Reset …');
    await press(page, 'Cancel');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Reset …');
    await press(page, 'Reset …');
    await restarted(() => press(page, 'Delete everything'));
    await until(async () => expect([await inbox(), (await state()).deliveries]).toEqual([[], []]));
    // The page shows the new world without being reloaded.
    await page.getByText('The service has not asked the platform for anything yet.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('is not reset by a page of another site', async () => {
    const headers = { origin: 'https://evil.example' };
    const foreign = await fetch(console('/console/world'), { method: 'DELETE', headers });
    expect(foreign.status).toBe(403);
  });
});

describe('./messaging tail', () => {
  const tail = (...args: string[]) => startProgram(run.dataDir, 'tail', ...args);
  const following = ({ output }: StartedProcess) => until(() => expect(output.stderr).toContain('following'));

  it('shows events, requests and deliveries in a line each, also of the next world, and ends cleanly', async () => {
    const following_ = tail();
    const { output, process: child, exited } = following_;
    await following(following_);
    await write(1);
    await until(() =>
      expect(output.stdout).toMatch(
        /^\d\d:\d\d:\d\d {2}delivery {2}\+15550100001 {4}message · text → webhook +delivered 200 \d+ ms$/m,
      ),
    );
    expect(output.stdout).toMatch(/^\d\d:\d\d:\d\d {2}event {5}\+15550100001 {4}messages · text +200$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
    expect(output.stdout).not.toMatch(/\x1b|"body"|Hi$/m);

    await restarted(() => fetch(console('/console/world'), { method: 'DELETE' }));
    await until(() => expect(output.stderr).toContain('the world is back'));
    const lines = () => output.stdout.split('\n').filter((line) => line.includes('delivered')).length;
    const before = lines();
    await write(1);
    await until(() => expect(lines()).toBeGreaterThan(before));

    child.kill('SIGINT');
    await exited;
    expect(child.exitCode).toBe(0);
  });

  it('says in a sentence that no world is running', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-world-'));
    const gone = { ...run.world, console_url: 'http://127.0.0.1:9' };
    for (const description of [undefined, gone]) {
      if (description) await writeFile(join(folder, 'world.json'), JSON.stringify(description));
      const { process: child, output, exited } = startProgram(folder, 'tail');
      await exited;
      expect([child.exitCode, output]).toEqual([
        1,
        { stdout: '', stderr: `No world is running. Start it first: LOCAL_DATA_DIR=${folder} npm start\n` },
      ]);
    }
    await rm(folder, { recursive: true });
  });
});
