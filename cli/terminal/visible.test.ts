import { expect, it } from 'vitest';
import { quoted, visible } from '#shared/base/text.ts';
import { reportText } from '../doctor/diagnose.ts';
import { describeFailure } from './describe-failure.ts';
import { Rejection } from './errors.ts';
import { renderJson, renderText } from './render.ts';

const hostile = 'a\u001b[2J\u009b1m\u202eb\rc\nrm -rf x';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
const dangerous = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/;

it('what somebody else wrote cannot control the terminal', () => {
  const value = [{ name: hostile }];
  for (const text of [visible(hostile), renderText({ value, note: hostile }), renderJson({ value })]) {
    expect(text).not.toMatch(dangerous);
  }
  expect(JSON.parse(renderJson({ value }))).toEqual(value);
  expect(renderText({ value }).split('\n')).toHaveLength(2);
  const failure = describeFailure(new Rejection(hostile));
  expect(failure).not.toMatch(dangerous);
  expect(failure).not.toContain('\n');
});

it("a finding and its command stay in doctor's lines", () => {
  const finding = { check: 'unknown-numbers', status: 'wrong', subject: 'S', text: hostile, command: hostile } as const;
  const report = reportText([finding]);
  expect(report).not.toMatch(dangerous);
  expect(report).not.toMatch(/^\s*rm/m);
});

it('a word with control characters is quoted in one line, as bash reads it', () => {
  expect(quoted("a\n\u001b'\\")).toBe(String.raw`$'a\u000a\u001b\'\\'`);
});
