// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { frozenVersions, versions } from '#shared/flow-json/document/versions.ts';
import { examples, flowAround } from '#support/flows/component-examples.ts';
import { errorsOf, flow, flowWith, type Json, pointedAt, screen, warningsOf } from '#support/flows/flow-json.ts';

const withVersion = (version: unknown) => flow([screen('A')], { version });

describe('version', () => {
  it.each(versions)('%s is accepted', (version) => {
    expect(errorsOf(withVersion(version))).toEqual([]);
    expect(warningsOf(withVersion(version))).toEqual([]);
  });

  it.each(frozenVersions)(
    '%s, which is frozen, is checked as the oldest version that is not, with a warning',
    (version) => {
      expect(errorsOf(withVersion(version))).toEqual([]);
      expect(warningsOf(withVersion(version))).toEqual(['INVALID_FLOW_JSON_VERSION_STATE']);
      const later = { ...flowAround(examples.CalendarPicker ?? {}), version };
      expect(pointedAt(later)).toContainEqual(['INVALID_PROPERTY_VALUE', '"CalendarPicker"']);
    },
  );

  it.each([7.3, 'latest', '7.3.1', ' 7.3', '2024.0', '', null, ['7.3']])('%j is an invalid version', (version) => {
    expect(pointedAt(withVersion(version))).toEqual([
      ['INVALID_FLOW_JSON_VERSION', JSON.stringify(version, null, 2).replaceAll('\n', '\n  ')],
    ]);
  });

  it.each([100, 7, '100'])('%j is reported as an unsupported version', (version) => {
    expect(pointedAt(withVersion(version))).toEqual([['UNSUPPORTED_FLOW_JSON_VERSION', JSON.stringify(version)]]);
  });

  it.each(['1.0', '5.2', '6.4', '8.0', '99.0', 'A.B'])('%s is reported as an unavailable version', (version) => {
    expect(pointedAt(withVersion(version))).toEqual([['UNAVAILABLE_FLOW_JSON_VERSION', `"${version}"`]]);
  });

  it('newer than the latest known one is checked as the latest, with a warning', () => {
    expect(errorsOf(withVersion('7.4'))).toEqual([]);
    expect(warningsOf(withVersion('7.4'))).toEqual(['UNAVAILABLE_FLOW_JSON_VERSION']);
  });

  it('version is a required property', () => {
    expect(errorsOf({ screens: [screen('A')] })).toEqual(['MISSING_FLOW_JSON_VERSION']);
  });
});

describe('data_api_version', () => {
  const withApi = (data_api_version: unknown, version = '7.3'): Json => ({
    ...flowWith([]),
    version,
    data_api_version,
  });

  it.each([
    ['3.0', '7.3'],
    ['4.0', '7.3'],
    ['3.0', '6.0'],
  ])('%s is accepted in Flow JSON %s', (data_api_version, version) => {
    expect(errorsOf(withApi(data_api_version, version))).toEqual([]);
  });

  it.each([
    ['2.0', '7.3'],
    [3, '7.3'],
    [null, '7.3'],
  ])('%s is rejected in Flow JSON %s', (data_api_version, version) => {
    expect(pointedAt(withApi(data_api_version, version))).toEqual([
      ['INVALID_DATA_API_VERSION', JSON.stringify(data_api_version)],
    ]);
  });

  it('newer than the Flow JSON leads to a warning', () => {
    const json = withApi('4.0', '7.2');
    expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_DATA_API_VERSION']]);
    expect(warningsOf(withApi('4.0', '7.3'))).toEqual([]);
  });

  it('data_api_version requires a routing model', () => {
    const { routing_model: _, ...rest } = withApi('3.0');
    expect(pointedAt(rest)).toEqual([['MISSING_REQUIRED_PROPERTY', '"3.0"']]);
  });

  it('is required by an action that calls the endpoint', () => {
    const children = [{ type: 'EmbeddedLink', text: 'More', 'on-click-action': { name: 'data_exchange' } }];
    expect(errorsOf(flow([screen('A', children)]))).toEqual(['MISSING_REQUIRED_PROPERTY']);
  });
});
