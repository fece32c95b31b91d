import { describe, expect, it } from 'vitest';
import { asContact, normalPhoneNumber, phoneNumberFault } from './recipient.ts';

const full = '+15550100999';

describe('a phone number', () => {
  it.each([
    '+15550100999',
    '+1 (555) 010-0999',
    ' + 1 555 0100999 ',
    '(+1) 555 010 0999',
    '+1-555-010-0999',
    '1 (555) 010-0999',
    '1-555-0100999',
  ])('reaches the platform as + and digits: %j', (text) => {
    expect(phoneNumberFault(text)).toBeUndefined();
    expect(normalPhoneNumber(text)).toBe(full);
    expect(normalPhoneNumber(full)).toBe(full);
  });

  it.each(['15550100999', '0015550100999', '5', '1'.repeat(20)])('that is bare digits stays so: %s', (digits) => {
    expect(phoneNumberFault(digits)).toBeUndefined();
    expect(normalPhoneNumber(digits)).toBe(digits);
  });

  it.each(['+6834001', '+123456789012345'])('may be as short and as long as they get: %s', (text) => {
    expect(phoneNumberFault(text)).toBeUndefined();
  });

  it.each([
    ['phone_number', ['+123456', '+1234567890123456', '1'.repeat(21), '+', '()', ' ', '55 1']],
    ['phone_number_plus', ['++15550100999', '1+5550100999', '15550100999+', '+1+5550100999']],
    ['phone_number_parentheses', ['+1 (555 0100999', '+1 555) 0100999', '+1 )555( 0100999', '+1 ((555)) 0100999']],
    ['phone_number_zero', ['+0015550100999', '00 1 555 0100999', '(011) 15550100', '+44 (0)20 7946 0958']],
    ['phone_number_character', ['+1.555.010.0999', '+1 555 010 0999 ext. 2', 'tel:+15550100999', 'Ana']],
    ['required', ['']],
  ])('is rejected as %s: %j', (rule, texts) => {
    for (const text of texts) {
      expect(phoneNumberFault(text)?.rule, text).toBe(rule);
      expect(normalPhoneNumber(text), 'stays as it is').toBe(text);
    }
  });

  it('keeps a zero that belongs to it, as in Italy', () => {
    expect(normalPhoneNumber('+39 (06) 1234 5678')).toBe('+390612345678');
  });

  it.each([
    ['\u202a+1 555 010 0999\u202c', 'U+202A', 1],
    ['+1\u00a0555 010 0999', 'U+00A0', 3],
    ['+1 555\t0100999', 'U+0009', 7],
    ['+15550100999\n', 'U+000A', 13],
    ['＋15550100999', '＋ (U+FF0B)', 1],
    ['+١٥٥٥٠١٠٠٩٩٩', '١ (U+0661)', 2],
    ['+1 555–0100999', '– (U+2013)', 7],
    ['+1 555 0100999 📞', '📞 (U+1F4DE)', 16],
    ['📞', '📞 (U+1F4DE)', 1],
    ['+1555\ud83d', 'U+D83D', 6],
  ])('with a foreign character is rejected, and the text names it: %j', (text, character, position) => {
    expect(phoneNumberFault(text)).toEqual({ rule: 'phone_number_character', values: { character, position } });
  });

  it('stands for a contact without its plus', () => {
    expect(asContact(full)).toBe('15550100999');
    expect(asContact('BR.13491208655302741918')).toBe('BR.13491208655302741918');
  });
});
