import { describe, expect, it } from 'vitest';
import { contactId, idsIn } from './written-ids.ts';

const number = '5511900000104';
const userId = 'BR.13491208655302741918';
const messageId = (content: string) =>
  `wamid.${Buffer.from(`\x1d\x18\x0b${content}\x15\x02\x00\x11\x18\x14${'3A1234567'.repeat(2)}AB`, 'latin1').toString('base64')}`;

describe('a contact on the command line', () => {
  it.each([
    '5511900000104',
    '+5511900000104',
    ' (+55) 11 90000\u20110104',
    '0055 11 9.0000/0104',
    '+55 (0)11 900000104',
  ])('may be written as %j', (text) => expect(contactId(text)).toBe(number));
  it('may be a user id', () => expect(contactId(` ${userId}`)).toBe(userId));
  it.each(['', 'ana', '123', '011 90000', '+1 555 010 0999 ext 5', '1234567890123456'])('may not be %j', (text) => {
    expect(contactId(text)).toBeUndefined();
  });
});

describe('a text names', () => {
  it.each([
    ...['5511900000104', 'x5511900000104y', 'https://wa.me/5511900000104?text=2', '5511900000104-1700000000@g.us'],
    ...[
      'call +55 (11) 90000-0104, at 10',
      '+55 11\n90000 0104',
      '+55 11 90000\r\n0104',
      'it is +55 11 90000-0104\n2 pizzas',
    ],
    ...[
      '+55 11 90000-0104. 2 pizzas',
      '+55\u00a011\u202f90000\u20100104',
      '+55 11 90000\u22120104',
      '55.11.90000/0104',
    ],
    ...[
      '+55 11 90\u00ad000-0104',
      '\u202a+55 11 90000-0104\u202c',
      '\u200e55\u200b11900000104',
      '+55 (0) 11 90000-0104',
    ],
    ...[
      '００５５　１１　９００００－０１０４',
      '+٥٥ ١١ ٩٠٠٠٠ ٠١٠٤',
      '+५५ ११ ९०००० ०१०४',
      '5️⃣511900000104',
      '55·11·90000·0104',
    ],
    ...[
      '16505551234 5511900000104',
      messageId(number),
      `{"text":"+55 11\\n90000\\u20110104`,
      `+55 11\\\\\\n90000 0104`,
    ],
  ])('a phone number: %j', (text) => expect([...idsIn(text)]).toContain(number));

  it.each([
    ...[
      '25511900000104',
      '55119000001042',
      '+55 11 90000-0104-2',
      '+1 5511900000104',
      '55, 11, 90000, 0104',
      '55:11:90000:0104',
    ],
    ...[
      messageId(`2${number}`),
      messageId(`${number}2`),
      `BR.${number}`,
      `BR.ENT.${number}`,
      messageId(`BR.${number}`),
    ],
  ])('another phone number: %j', (text) => expect([...idsIn(text)]).not.toContain(number));

  it.each([
    ['wacid.ABGGFjFVU2AfAgo6V-Hc5eCgK5Gh', ['16315553601']],
    ['wamid.gBEGVzBYVoEJAglIDxSAnGJdO_U', ['573058568109']],
    ['wamid.gBGGVzBYVo', []],
  ])('a phone number with two digits in each byte of %s', (id, numbers) => {
    expect([...idsIn(id)]).toEqual(numbers);
  });

  it.each([userId, `my id:\n${userId}.`, `(${userId})`, messageId(userId)])('a user id: %j', (text) => {
    expect([...idsIn(text)]).toContain(userId);
  });

  it.each([`${userId}1`, `X${userId}`, `x.${userId}`, userId.toLowerCase()])('another user id: %j', (text) => {
    expect([...idsIn(text)]).not.toContain(userId);
  });
});
