import type { Template } from '#local/console/console-values.ts';
import { listOf, type Members, members, textOf } from './read-content.ts';
import { linkTap, type Shown, type Tap } from './shown.ts';

type Templates = ReadonlyMap<string, Template>;

/** The template that every business account has from its beginning, as Graph lists it. */
const ofEveryAccount: Readonly<Record<string, readonly Members[]>> = {
  'hello_world en_US': [
    { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
    {
      type: 'BODY',
      text: 'Welcome and congratulations!! This message demonstrates your ability to send a WhatsApp message notification from the Cloud API, hosted by Meta. Thank you for taking the time to test with us.',
    },
    { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
  ],
};

/**
 * A template as the contact sees it: its declared words with what the message fills in. The platform alone knows the
 * words of a template that was not declared, so of that one the filled-in parts are shown.
 */
export function shownTemplate(content: Members, templates: Templates): Shown {
  const name = textOf(content.name);
  const language = textOf(members(content.language).code);
  const sent = listOf(content.components);
  const declared = templates.get(`${name} ${language}`)?.components ?? ofEveryAccount[`${name} ${language}`];
  if (declared !== undefined) return filledIn(listOf(declared), sent);
  return {
    ...parts([], sent),
    note: `Template ${name} (${language}). The simulated platform does not know its words.`,
    declaration: { name, language, ...declarationFor(sent) },
  };
}

/** What a template needs for the message to fit it. A person puts the words in. */
function declarationFor(sent: readonly Members[]): object {
  const filled = (type: string) => listOf(ofType(sent, type)?.parameters);
  const [header, body] = [filled('HEADER'), filled('BODY')];
  const format = textOf(header[0]?.type).toLowerCase();
  const buttons: object[] = [];
  for (const { type, sub_type, index } of sent) {
    if (textOf(type).toUpperCase() !== 'BUTTON') continue;
    const at = Math.min(Number(index ?? 0) || 0, 9);
    while (buttons.length <= at) buttons.push({ type: 'QUICK_REPLY', text: `Button ${buttons.length + 1}` });
    const isUrl = textOf(sub_type).toUpperCase() === 'URL';
    buttons[at] = {
      type: textOf(sub_type).toUpperCase(),
      text: `Button ${at + 1}`,
      ...(isUrl && { url: 'https://example.com/{{1}}' }),
    };
  }
  return {
    ...(body.some((one) => one.parameter_name !== undefined) && { parameter_format: 'NAMED' }),
    components: [
      ...(isWord(format) ? [{ type: 'HEADER', format: 'TEXT', text: variables(header) }] : []),
      ...(format !== '' && !isWord(format) ? [{ type: 'HEADER', format: format.toUpperCase() }] : []),
      { type: 'BODY', text: `Hello ${variables(body)}`.trim() },
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
    ],
  };
}

const variables = (filled: readonly Members[]) =>
  filled.map(({ parameter_name }, i) => `{{${textOf(parameter_name) || i + 1}}}`).join(' ');

/** A template without what was filled in, such as a card of a carousel that nobody sent. */
function filledIn(declared: readonly Members[], sent: readonly Members[]): Shown {
  return { ...parts(declared, sent), ...(isAuthentication(declared) && authentication(declared, sent)) };
}

const ofType = (components: readonly Members[], type: string) =>
  components.find((one) => textOf(one.type).toUpperCase() === type);

function parts(declared: readonly Members[], sent: readonly Members[]): Shown {
  const [header, body] = [ofType(declared, 'HEADER'), ofType(declared, 'BODY')];
  const filled = (type: string) => listOf(ofType(sent, type)?.parameters);
  const offer = ofType(sent, 'LIMITED_TIME_OFFER');
  return {
    header: headerWith(header, filled('HEADER')),
    body: body === undefined ? filled('BODY').map(wordsOf).join(' · ') : fill(textOf(body.text), filled('BODY')),
    footer: textOf(ofType(declared, 'FOOTER')?.text),
    lines: offer === undefined ? [] : [offerLine(ofType(declared, 'LIMITED_TIME_OFFER'), offer)],
    taps: buttonsOf(ofType(declared, 'BUTTONS'), sent),
    cards: cardsOf(declared, sent),
  };
}

function headerWith(declared: Members | undefined, filled: readonly Members[]): Shown['header'] {
  const [first] = filled;
  const type = textOf(first?.type).toLowerCase();
  if (first !== undefined && !isWord(type)) return { type, content: first[type] };
  const text = declared === undefined ? filled.map(wordsOf).join(' · ') : fill(textOf(declared.text), filled);
  return text === '' ? undefined : { type: 'text', content: { body: text } };
}

const isWord = (type: string) => ['text', 'currency', 'date_time'].includes(type);

/** The words of a parameter. */
function wordsOf(parameter: Members): string {
  const value = parameter[textOf(parameter.type).toLowerCase()];
  return textOf(value) || textOf(members(value).fallback_value);
}

/** The text with its variables, `{{1}}` or `{{name}}`, replaced. What is missing stays to be seen. */
function fill(text: string, parameters: readonly Members[]): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (variable, name) => {
    const named = parameters.find(({ parameter_name }) => parameter_name === name);
    const parameter = named ?? parameters[Number(name) - 1];
    return parameter === undefined ? variable : wordsOf(parameter);
  });
}

function offerLine(declared: Members | undefined, sent: Members): readonly [string, string] {
  const [parameter] = listOf(sent.parameters);
  const until = members(parameter?.limited_time_offer).expiration_time_ms;
  const name = textOf(members(declared?.limited_time_offer).text) || 'Limited-time offer';
  return [name, until === undefined ? '' : `until ${new Date(Number(until)).toLocaleString('en-GB')}`];
}

function buttonsOf(declared: Members | undefined, sent: readonly Members[]): Tap[] {
  const filled = sent.filter(({ type }) => textOf(type).toUpperCase() === 'BUTTON');
  const parameterOf = (index: number) =>
    members(listOf(filled.find((one) => Number(one.index) === index)?.parameters)[0]);
  if (declared !== undefined) {
    return listOf(declared.buttons).map((button, i) =>
      tapOf(textOf(button.type).toUpperCase(), button, parameterOf(i)),
    );
  }
  return filled.map(({ sub_type, index }) => {
    const type = textOf(sub_type).toUpperCase();
    return tapOf(type, { text: `Button ${Number(index ?? 0) + 1}` }, parameterOf(Number(index)));
  });
}

function tapOf(type: string, button: Members, parameter: Members): Tap {
  const label = textOf(button.text);
  switch (type) {
    case 'QUICK_REPLY': {
      const payload = textOf(parameter.payload) || label;
      return { kind: 'event', label, event: { type: 'button', button: { payload, text: label } } };
    }
    case 'URL':
      return linkTap({ display_text: label, url: fill(textOf(button.url), [parameter]) });
    case 'PHONE_NUMBER':
      return linkTap({ display_text: label, url: `tel:${textOf(button.phone_number)}` });
    case 'COPY_CODE':
      return { kind: 'copy', label: label || 'Copy offer code', text: textOf(parameter.coupon_code) };
    case 'OTP':
      return { kind: 'copy', label: label || 'Copy code', text: wordsOf(parameter) };
    case 'VOICE_CALL':
      return { kind: 'act', label: label || 'Call now', act: 'call' };
    case 'FLOW':
      return button.flow_id === undefined && button.flow_name === undefined
        ? { kind: 'none', label, why: 'Declare the template with its Flow to open it here.' }
        : { kind: 'act', label, act: 'open flow' };
    default:
      return { kind: 'copy', label: label || type, text: wordsOf(parameter) };
  }
}

function cardsOf(declared: readonly Members[], sent: readonly Members[]): Shown[] {
  const templates = listOf(ofType(declared, 'CAROUSEL')?.cards);
  return listOf(ofType(sent, 'CAROUSEL')?.cards).map(({ card_index, components }, i) =>
    parts(listOf(templates[Number(card_index ?? i)]?.components), listOf(components)),
  );
}

/** Meta itself writes the words of authentication templates (its page "Authentication templates"). */
const isAuthentication = (declared: readonly Members[]) => {
  const body = ofType(declared, 'BODY');
  return body !== undefined && body.text === undefined;
};

function authentication(declared: readonly Members[], sent: readonly Members[]): Pick<Shown, 'body' | 'footer'> {
  const [code] = listOf(ofType(sent, 'BODY')?.parameters);
  const warning = ofType(declared, 'BODY')?.add_security_recommendation
    ? ' For your security, do not share this code.'
    : '';
  const minutes = textOf(ofType(declared, 'FOOTER')?.code_expiration_minutes);
  return {
    body: `*${code === undefined ? '…' : wordsOf(code)}* is your verification code.${warning}`,
    footer: minutes === '' ? '' : `This code expires in ${minutes} minutes.`,
  };
}
