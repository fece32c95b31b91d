// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.

import type { Version } from '#shared/flow-json/document/versions.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';

export type Json = Record<string, unknown>;

export const navigateTo = (name: string, payload: Json = {}): Json => ({
  name: 'navigate',
  next: { type: 'screen', name },
  payload,
});
export const complete: Json = { name: 'complete', payload: {} };
export const exchange: Json = { name: 'data_exchange', payload: { step: 'next' } };
export const update = (payload: Json = { note: 'chosen' }): Json => ({ name: 'update_data', payload });

export const footer = (action: Json = complete): Json => ({
  type: 'Footer',
  label: 'Continue',
  'on-click-action': action,
});

/** A terminal screen. Adds a Footer if its top level has none. */
export function screen(id: string, children: Json[] = [], changes: Json = {}): Json {
  const hasFooter = children.some(({ type }) => type === 'Footer');
  return {
    id,
    title: 'Title',
    terminal: true,
    layout: { type: 'SingleColumnLayout', children: hasFooter ? children : [...children, footer()] },
    ...changes,
  };
}

/** A screen that leads to another one through its Footer. */
export function step(id: string, children: Json[], changes: Json = {}): Json {
  return { ...screen(id, children, changes), terminal: false };
}

export function flow(screens: unknown[], changes: Json = {}): Json {
  return { version: '7.3', screens, ...changes };
}

/** A Flow of one screen, which exchanges data with an endpoint and declares every kind of data. */
export function flowWith(children: Json[], changes: Json = {}, version: Version = '7.3'): Json {
  return flow([screen('MAIN', children, { data: exampleData, ...changes })], {
    version,
    data_api_version: '3.0',
    routing_model: { MAIN: [] },
  });
}

export const exampleData: Json = {
  note: { type: 'string', __example__: 'A note' },
  amount: { type: 'number', __example__: 12.5 },
  shown: { type: 'boolean', __example__: true },
  person: { type: 'object', properties: { name: { type: 'string' } }, __example__: { name: 'Ada' } },
  options: {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
    __example__: [{ id: 'a', title: 'A' }],
  },
};

export const toText = (json: unknown): string => (typeof json === 'string' ? json : JSON.stringify(json, null, 2));

export function errorsOf(json: unknown): string[] {
  return validateFlowJson(toText(json)).errors.map(({ error }) => error);
}

export function warningsOf(json: unknown): string[] {
  return validateFlowJson(toText(json)).warnings.map(({ error }) => error);
}

/** Each error as its code and the text at its position. */
export function pointedAt(json: unknown): [code: string, text: string][] {
  const text = toText(json);
  const lines = text.split('\n');
  return validateFlowJson(text).errors.map((finding) => {
    const { error, line_start, line_end, column_start, column_end } = finding;
    const covered = lines.slice(line_start - 1, line_end);
    const last = covered.length - 1;
    covered[last] = (covered[last] ?? '').slice(0, column_end - 1);
    covered[0] = (covered[0] ?? '').slice(column_start - 1);
    return [error, covered.join('\n')];
  });
}
