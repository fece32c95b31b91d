import { describe, expect } from 'vitest';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { giveSecret, it, type Previews } from './preview-page.ts';
import { title } from './reading.ts';
import { slotsAnswer, slotsFlow } from './slots.ts';

let previews: Previews;
let receiver: Receiver;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
  receiver = await startReceiver();
  receiver.script('/flow', ({ body }) => {
    const request = JSON.parse(body.toString());
    return request.data?.slot ? { status: 500 } : { body: JSON.stringify(slotsAnswer(request)) };
  });
});
it.afterAll(async () => {
  await previews.endFile();
  await receiver.close();
});

describe.each([
  {
    locale: 'pt-BR',
    code: 'Código de seis dígitos',
    wrong: 'Código incorreto.',
    missing: 'Preencha este campo.',
    undeclared: 'A resposta tem data.weather, que a tela não declara',
    failed: 'O endpoint retornou 500 em vez de 200.',
    panel: ['Aparência', 'Telas', 'Atividade', 'Problemas'],
  },
])('a reader of $locale', ({ locale, code, wrong, missing, undeclared, failed, panel }) => {
  it('reads the forms, the page and the findings about the endpoint in that language', async () => {
    const { url, secret } = await previews.newPreview(slotsFlow, {
      flow: { endpoint_url: `${receiver.url}/flow`, endpoint_encrypted: false },
    });
    const page = await previews.visit(url, { locale });
    await page.getByLabel(code).waitFor();
    await giveSecret(page, secret === '000000' ? '111111' : '000000');
    await page.getByRole('alert').getByText(wrong).waitFor();
    await giveSecret(page, secret);
    await title(page, 'Choose a day');
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await page.locator('.panel').locator('legend, h3').allInnerTexts()).toEqual(panel.map(matching));

    const find = page.getByRole('button', { name: 'Find slots' });
    await find.click();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([missing]);
    await page.getByLabel('Day', { exact: true }).selectOption('tue');
    await find.click();
    await title(page, 'Choose a slot');
    await page.getByText(undeclared).waitFor();
    await page.getByLabel('9:00').check();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('alert').getByText(failed).waitFor();
    expect(page.troubles).toEqual([]);
  });
});

/** Headings may include a count. */
const matching = (heading: string) => expect.stringMatching(`^${heading}`);
