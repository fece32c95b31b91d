import { describe, expect, it } from 'vitest';
import { sdpOf } from '#support/sdp.ts';
import { validFlowJson } from '#support/worlds/simulated-graph.ts';
import { Originals } from './ids.ts';
import { findLeaks } from './leaks.ts';
import type { Entry, Exchange, Json } from './recording.ts';
import { redact } from './redact.ts';

const exchange = (request: Partial<Exchange['request']>, json: Json = {}): Exchange => ({
  at: 0,
  request: { method: 'POST', path: '/v25.0/1/messages', ...request },
  response: { status: 200, body: { json } },
});

const event = (value: Json): Entry => ({ at: 0, event: value });

/** Redacts the entries, and expects nothing of the originals to be left. */
function redacted(...entries: Entry[]): Entry[] {
  const originals = new Originals();
  const result = redact(entries, originals);
  expect(findLeaks(result, originals)).toEqual([]);
  return result;
}

const binding = (name: string) => `\${${name}}`;

const requestJson = <T>({ request }: Exchange) => request.body?.json as T;

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

/** The form of real message ids: the number and a random part in a frame. */
const wamid = (phone: string, random: string) =>
  `wamid.${base64(`\x1c\x18${String.fromCharCode(phone.length)}${phone}\x15\x02\x00\x11\x18\x12${random}\x00`)}`;

describe('redaction', () => {
  it('replaces numbers, names, texts and ids, and keeps the words of the platform', () => {
    const id = wamid('5511988887777', 'A1B2C3D4E5F60718AB');
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '+55 11 4000-0001', phone_number_id: '106540352242922' },
      contacts: [{ profile: { name: 'Ana Lima' }, wa_id: '5511988887777', user_id: 'BR.13491208655302' }],
      messages: [
        {
          from: '5511988887777',
          id,
          timestamp: '1767225600',
          type: 'text',
          text: { body: 'Meu CPF é 123.456.789-09' },
        },
      ],
    };
    const [result] = redacted(event(value)) as unknown as [{ event: typeof value }];
    const { metadata, contacts, messages } = result.event;
    expect(result.event.messaging_product).toBe('whatsapp');
    expect(metadata.display_phone_number).toMatch(/^\+\d\d \d\d \d{4}-\d{4}$/);
    expect(metadata.phone_number_id).toMatch(/^\d{15}$/);
    expect(contacts[0]?.wa_id).toMatch(/^1555\d{9}$/);
    expect(messages[0]).toMatchObject({ from: contacts[0]?.wa_id, timestamp: '1767225600', type: 'text' });
    expect(contacts[0]?.user_id).toMatch(/^BR\.\d{14}$/);
    expect(messages[0]?.text.body).toHaveLength('Meu CPF é 123.456.789-09'.length);
    const decoded = Buffer.from(String(messages[0]?.id).slice('wamid.'.length), 'base64').toString('latin1');
    expect(decoded.slice(0, 3)).toBe('\x1c\x18\x0d');
    expect(decoded.slice(3, 16)).toBe(contacts[0]?.wa_id);
    expect(decoded.slice(22, 40)).toMatch(/^[0-9A-F]{18}$/);
  });

  const chosen = {
    status: 'divorced',
    country: 'Brazil',
    type: 'hiv_positive',
    screen: 'maternity_ward',
    score: 612,
    pregnant: true,
    smokes: 'true',
    age: '37',
  };

  it.each<[string, Json]>([
    ['what people answered', { response_json: JSON.stringify({ flow_token: 'msgf_SecretToken123', ...chosen }) }],
    ['what a Flow opens with', { flow_action_payload: { screen: 'WELCOME', data: chosen } }],
    ['what a Flow opens with, as a text', { flow_action_payload: { data: JSON.stringify(chosen) } }],
    [
      "what a template's Flow opens with",
      {
        components: [
          {
            type: 'button',
            sub_type: 'flow',
            parameters: [{ type: 'action', action: { flow_token: 'x1', flow_action_data: chosen } }],
          },
        ],
      },
    ],
    ['JSON in a Flow token', { flow_token: JSON.stringify(chosen) }],
    ['JSON in what a button returns', { button: { payload: JSON.stringify([chosen]) } }],
    ['JSON in the id of a reply', { button_reply: { id: JSON.stringify({ choice: chosen }) } }],
    ['JSON in callback data', { biz_opaque_callback_data: JSON.stringify(chosen) }],
    ['a list in callback data', { biz_opaque_callback_data: JSON.stringify([612, 'hiv_positive', true]) }],
    ['a list in a message', { text: { body: '[612,"divorced",true,37]' } }],
    ['parameters of a SIP server', { servers: [{ request_uri_user_params: chosen }] }],
  ])('keeps no value under names that the business chose: %s', (_, value) => {
    const result = JSON.stringify(redacted(exchange({ body: { json: value } }, value), event(value)));
    expect(result).not.toMatch(/divorced|Brazil|hiv_positive|maternity_ward|:612|true|37/);
  });

  it('keeps nothing of where people live, and of what they call their numbers', () => {
    const contact = {
      addresses: [{ country: 'Brazil', type: 'exile' }],
      phones: [{ type: 'Boss' }],
      emails: [{ type: 'Boss' }],
      urls: [{ type: 'Boss' }],
    };
    const order = { beneficiaries: [{ country: 'Brazil' }] };
    expect(JSON.stringify(redacted(event({ contacts: [contact], order })))).not.toMatch(/Brazil|exile|Boss/);
  });

  it('keeps the screen that a Flow opens with, and lists of words in a text', () => {
    const json = { flow_action_payload: { screen: 'WELCOME' }, categories: '["LEAD_GENERATION"]' };
    const [result] = redacted(exchange({ body: { json } })) as [Exchange];
    expect(requestJson(result)).toEqual(json);
  });

  it('gives the same original the same replacement everywhere, and different ones different ones', () => {
    const entries = [
      exchange(
        { path: '/v25.0/106540352242922/messages', body: { json: { to: '+55 11 98888-7777' } } },
        { messages: [{ id: 'wamid.AAECAwQFBgcICQ==' }] },
      ),
      event({
        entry: [
          {
            id: '102290129340398',
            from: '5511988887777',
            to: '5511988887778',
            status_of: { id: 'wamid.AAECAwQFBgcICQ==' },
          },
        ],
      }),
    ];
    const [first, second] = redacted(...entries) as [Exchange, { event: { entry: Record<string, never>[] } }];
    const [entry] = second.event.entry as unknown as [Record<string, string> & { status_of: { id: string } }];
    const { json } = first.request.body as { json: { to: string } };
    expect(json.to.replaceAll(/\D/g, '')).toBe(entry.from);
    expect(entry.to).not.toBe(entry.from);
    const sent = first.response.body?.json as { messages: { id: string }[] };
    expect(sent.messages[0]?.id).toBe(entry.status_of.id);
    expect(first.request.path).toMatch(/^\/v25\.0\/\d{15}\/messages$/);
  });

  it.each<[string, Json]>([
    ['tokens', { access_token: 'EAAGsecretsecret', verify_token: 'my-verify', pin: '482913' }],
    ['a text in a member that the platform has just invented', { brand_new: { thing: 'Ana Lima, Rua Azul 5' } }],
    ['a name in a member whose words stay', { status: 'Ana Lima', contacts: [{ profile: { name: 'Ana Lima' } }] }],
    ['a number in a member whose words stay', { type: 'call+5511988887777', from: '5511988887777' }],
    ['a number as the name of a member', { '5511988887777': { ok: true } }],
    ['a name as the name of a member', { 'Ana Lima': 1, name: 'Ana Lima' }],
    ['a number that is a number', { wa_id: 5511988887777, other: 5511988887777 }],
    [
      'a place',
      { location: { latitude: -23.5505199, longitude: -46.6333094, name: 'Casa da Ana', address: 'Rua Azul 5' } },
    ],
    [
      'JSON in a text',
      { response_json: '{"flow_token":"msgf_SecretToken123","name":"Ana Lima","phone":"+55 (11) 98888-7777"}' },
    ],
    ['JSON in JSON in a text', { a: JSON.stringify({ b: JSON.stringify({ name: 'Ana Lima', to: '5511988887777' }) }) }],
    [
      'links of files',
      { url: 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1003383421387256&hash=ARsecret' },
    ],
    ['callback data', { biz_opaque_callback_data: 'order of Ana Lima' }],
    ['letters of other scripts', { name: 'Αναστασία', body: '安娜 の 電話 ０５５１１', emoji: '👩‍👩‍👧 Zoë' }],
    ['composed and decomposed letters', { name: 'Zoë Brontë', text: 'Zoe\u0308 Bronte\u0308 here' }],
    [
      'an error that quotes a person',
      {
        error: { code: 131009, message: 'Ana Lima (5511988887777) is not valid', error_data: { details: 'Ana Lima' } },
      },
    ],
    [
      'keys of contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'Ana Lima' },
            phones: [{ phone: '+5511988887777', wa_id: '5511988887777' }],
            emails: [{ email: 'ana@lima.example' }],
            birthday: '1990-05-17',
          },
        ],
      },
    ],
  ])('leaves nothing of %s', (_, value) => {
    const result = JSON.stringify(redacted(exchange({ body: { json: value } }, value), event(value)));
    // Ids are random, so they may contain short ones by chance.
    const text = result.replaceAll(/(msgf_|wamid\.)[\w+/=]+/g, '');
    for (const secret of [
      'Ana',
      'Lima',
      '98888',
      '988887777',
      'secret',
      'Secret',
      '482913',
      'Rua',
      'Zo',
      '電話',
      'ασία',
      '-23.5',
      'lookaside',
      '1990',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('covers paths, queries and forms', () => {
    const flow = JSON.parse(validFlowJson);
    const [result] = redacted(
      exchange({
        path: '/v25.0/5511988887777%2Fx/media',
        query: { access_token: 'EAAGsecret', fields: 'id,name', user_wa_id: '5511988887777' },
        body: {
          form: [
            { name: 'business_public_key', value: '-----BEGIN PUBLIC KEY-----\nMIIsecret\n-----END PUBLIC KEY-----' },
            { name: 'caption', value: 'Ana Lima' },
            { name: 'file', file: { type: 'application/json; name="Ana Lima"', size: 3, json: flow } },
          ],
        },
      }),
    ) as [Exchange];
    expect(JSON.stringify(result)).not.toMatch(/secret|98888|Ana/);
    expect(result.request.query).toMatchObject({ fields: 'id,name', access_token: 'redacted' });
    expect(result.request.body?.form?.[0]?.value).toContain('-----BEGIN PUBLIC KEY-----\n');
  });

  it('keeps what the checks of a Flow JSON need, and nothing that people read', () => {
    const flow = JSON.stringify({
      version: '7.3',
      screens: [
        {
          id: 'WELCOME',
          title: 'Clínica Azul',
          data: { day: { type: 'string', __example__: 'Ana Lima' } },
          layout: {
            type: 'SingleColumnLayout',
            children: [
              { type: 'TextBody', text: binding('data.day') },
              {
                type: 'Footer',
                label: 'Ligue 11 98888-7777',
                'on-click-action': { name: 'complete', payload: { a: binding('form.a') } },
              },
            ],
          },
        },
      ],
    });
    const [result] = redacted(exchange({ body: { json: { flow_json: flow } } })) as [Exchange];
    const { flow_json } = requestJson<{ flow_json: string }>(result);
    expect(JSON.parse(flow_json)).toMatchObject({
      screens: [
        {
          id: 'WELCOME',
          layout: {
            children: [{ type: 'TextBody', text: binding('data.day') }, { 'on-click-action': { name: 'complete' } }],
          },
        },
      ],
    });
    expect(flow_json).not.toMatch(/Clínica|Ana|98888/);
  });

  it('keeps nothing that a Flow JSON sends or offers, except for its bindings and the names of its actions', () => {
    const action = { name: 'complete', payload: { name: 'Ana', visit: { day: binding('form.day'), notes: ['Lima'] } } };
    const options = [
      { id: 'azul', title: 'Rua Azul', 'on-select-action': { name: 'update_data', payload: { shown: 'Bruno' } } },
      { id: 'verde', title: 'Rua Verde' },
    ];
    const children = [
      { type: 'Dropdown', name: 'day', 'data-source': options },
      { type: 'Footer', label: 'Done', 'on-click-action': action },
    ];
    const flow = { version: '7.3', screens: [{ id: 'WELCOME', layout: { type: 'SingleColumnLayout', children } }] };
    const [result] = redacted(exchange({ body: { json: { flow_json: JSON.stringify(flow) } } })) as [Exchange];
    const { flow_json } = requestJson<{ flow_json: string }>(result);
    expect(flow_json).not.toMatch(/Ana|Lima|Bruno|azul|verde|Rua/i);
    expect(flow_json).toContain(binding('form.day'));
    expect(flow_json).toContain('"name":"update_data"');
    expect(flow_json).toContain('"name":"complete"');
    const [{ layout }] = JSON.parse(flow_json).screens;
    const ids = layout.children[0]['data-source'].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(options.length);
  });

  it('keeps no link of a Flow JSON, and no word that its author chose where the checks need none', () => {
    const children = [
      {
        type: 'Switch',
        value: binding('form.state'),
        cases: { divorced: [{ type: 'TextBody', text: 'Hello' }], default: [] },
      },
      { type: 'RadioButtonsGroup', name: 'state', 'data-source': [{ id: 'divorced', title: 'Divorced' }] },
      { type: 'Image', src: 'aGk=', 'brand-new': 'hiv_positive', 'scale-type': 'cover', height: 20 },
      { type: 'TextInput', name: 'mail', 'input-type': 'email', 'max-chars': '120' },
    ];
    const flow = {
      version: '2.1',
      data_channel_uri: 'https://quix.example/secret/token123',
      routing_model: { WELCOME: ['END'] },
      screens: [{ id: 'WELCOME', layout: { type: 'SingleColumnLayout', children } }],
    };
    const [result] = redacted(exchange({ body: { json: { flow_json: JSON.stringify(flow) } } })) as [Exchange];
    const { flow_json } = requestJson<{ flow_json: string }>(result);
    expect(flow_json).not.toMatch(/divorced|hiv_positive|quix|secret|token123/i);
    const { screens, ...others } = JSON.parse(flow_json);
    expect(others).toMatchObject({
      routing_model: { WELCOME: ['END'] },
      data_channel_uri: expect.stringMatching(/^https:/),
    });
    const [choice, { 'data-source': options }, image, input] = screens[0].layout.children;
    expect(Object.keys(choice.cases)).toEqual([options[0].id, 'default']);
    expect(image).toMatchObject({ 'scale-type': 'cover', height: 20 });
    expect(input).toEqual(children[3]);
  });

  it.each([
    'https://quix.example/secret/token123',
    'wss://quix.example/secret/token123',
    'quix.example/secret/token123',
    'text:https://quix.example/secret/token123',
  ])('keeps no link in a member whose words stay: %s', (link) => {
    expect(JSON.stringify(redacted(exchange({ body: { json: { method: link } } })))).not.toMatch(/quix|token123/);
  });

  it('keeps no PIN that is a number, and no e-mail address as the name of a member', () => {
    const json = { pin: 482913, 'ana@lima.example': 1 };
    expect(JSON.stringify(redacted(exchange({ body: { json } })))).not.toMatch(/482913|ana|lima/);
  });

  it('keeps the expressions of a Flow JSON, with the literals replaced as the ids that they stand for', () => {
    const isAzul = `${binding('form.day')} == 'azul' && !(${binding('data.guests')} > 2)`;
    const children = [
      { type: 'Dropdown', name: 'day', 'data-source': [{ id: 'azul', title: 'Rua Azul' }] },
      { type: 'TextBody', text: `Ana, ${binding('form.day')}`, visible: isAzul },
    ];
    const flow = { version: '7.3', screens: [{ id: 'WELCOME', layout: { type: 'SingleColumnLayout', children } }] };
    const [result] = redacted(exchange({ body: { json: { flow_json: JSON.stringify(flow) } } })) as [Exchange];
    const { flow_json } = requestJson<{ flow_json: string }>(result);
    const [{ layout }] = JSON.parse(flow_json).screens;
    const { id } = layout.children[0]['data-source'][0];
    expect(layout.children[1].visible).toBe(isAzul.replace('azul', id));
    expect(flow_json).not.toMatch(/azul|Ana/i);
  });

  it('keeps the lines of an SDP without addresses, fingerprints and ICE credentials', () => {
    const sdp = `${sdpOf('offer')}a=candidate:1 1 udp 1 203.0.113.9 3480 typ host\r\na=ice-pwd:secretsecretsecretsecret\r\na=x-ana:Ana Lima\r\n`;
    const [result] = redacted(exchange({ body: { json: { session: { sdp_type: 'offer', sdp } } } })) as [Exchange];
    const { session } = requestJson<{ session: { sdp: string } }>(result);
    expect(session.sdp.split('\r\n')).toHaveLength(sdp.split('\r\n').length);
    expect(session.sdp).toMatch(/a=setup:actpass\r\n/);
    expect(session.sdp).not.toMatch(/203\.0\.113|secret|Ana/);
  });

  it.each([
    'group:BUNDLE x 203.0.113.7',
    'fmtp:111 x-server=203.0.113.7;tok=zacanary',
    'fmtp:111 minptime=10;tok=zacanaryquillop',
    'extmap:1 http://203.0.113.7/zacanary',
    'ice-options:zacanary',
    'setup:2001:db8::7',
    'mid:2001:db8::7',
    'rtpmap:111 203.0.113.7/zacanary',
    'rtcp-fb:111 203.0.113.7',
    'sendrecv:203.0.113.7',
  ])('keeps no address and no text of anybody in a line of an SDP: %s', (line) => {
    const sdp = `${sdpOf('offer')}a=${line}\r\n`;
    const result = JSON.stringify(redacted(exchange({ body: { json: { session: { sdp_type: 'offer', sdp } } } })));
    expect(result).not.toMatch(/203\.0\.113|zacanary|db8/);
  });

  it.each([
    'group:BUNDLE 0 1',
    'extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
    'extmap:2/sendonly http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    'fmtp:111 minptime=10;useinbandfec=1',
    'fmtp:63 111/111',
    'fmtp:126 0-15',
    'ice-options:trickle renomination',
    'rtcp-fb:111 transport-cc',
    'rtpmap:111 opus/48000/2',
    'setup:actpass',
    'sendrecv',
  ])('keeps what a browser writes in a line of an SDP: %s', (line) => {
    const sdp = `${sdpOf('offer')}a=${line}\r\n`;
    const [result] = redacted(exchange({ body: { json: { session: { sdp } } } })) as [Exchange];
    expect(requestJson<{ session: { sdp: string } }>(result).session.sdp.split('\r\n').at(-2)).toBe(`a=${line}`);
  });
});

describe('the check for what is left', () => {
  const name = 'Ana Lima';
  const phone = '5511988887777';
  it.each<[string, string]>([
    ['as it was', `x ${name} y`],
    ['in capitals', 'ANA LIMA'],
    ['percent-encoded', `https://example.com/?q=${encodeURIComponent(name)}`],
    ['escaped', [...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['with HTML entities', [...name].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    ['in base64', base64(`<<${name}>>`)],
    ['in base64 in base64', base64(base64(name))],
    ['in base64 in a URL', `https://example.com/${Buffer.from(`/${name}/`).toString('base64url')}`],
    ['in hexadecimal digits', Buffer.from(name).toString('hex')],
    ['in full-width letters', 'Ａｎａ Ｌｉｍａ'],
    ['in JSON in a text', JSON.stringify({ a: JSON.stringify([name]) })],
    ['a number with punctuation', '+55 (11) 98888-7777'],
    ['a number in a message id', wamid(phone, 'A1B2C3D4E5F60718AB')],
    ['a number in digits of another width', '５５１１９８８８８７７７７'],
  ])('finds it %s, and does not show it', (_, left) => {
    const originals = new Originals();
    originals.add(name);
    originals.add(phone);
    const leaks = findLeaks([event({ entry: [{ note: left }] })], originals);
    expect(leaks).toEqual([{ entry: 0, place: 'event.entry[0].note' }]);
  });

  it('takes no replacement for an original that somebody wrote like one', () => {
    const notes = [
      'Text 1',
      'Text 1 ',
      'x x x ',
      'Text 2 x',
      '2000',
      'aaaa',
      '2001-02-03',
      'name_1',
      'https://ana.example/link-1',
    ];
    redacted(event({ entry: notes.map((note) => ({ note })), messages: [{ text: { body: '{"a":"bbbb"}' } }] }));
  });

  it('finds it in the name of a member', () => {
    const originals = new Originals();
    originals.add(name);
    expect(findLeaks([event({ [name]: 1 })], originals)).toEqual([{ entry: 0, place: 'a name in event' }]);
  });
});
