import { expect, it } from 'vitest';
import { errorsOf, type Json } from '#support/flows/flow-json.ts';
import metaExamples from './meta-examples.json' with { type: 'json' };

/*
 * meta-examples.json has the Flow JSON of Meta's pages "Components", "Media upload components", "Flow JSON" and
 * "Templates", below https://developers.facebook.com/docs/whatsapp/flows/: their members, names and expressions, with
 * texts of our own, at most two options in a list, and without the `data_channel_uri` of frozen versions. The pages show
 * them in a frame of the playground; https://github.com/david-lev/pywa has copies of them in tests/data/flows, by
 * version, and https://github.com/LimaLb01/endpoint-flow has copies of the guides by use case and of the page "Flow
 * JSON" in docs_whatsappflow. The static list for navigation names a screen that it lacks and data of another type,
 * which the page of errors excludes; here it does not. The last ones are those of "Components" as of June 28, 2026: the
 * page cuts most of them off after some 40 lines, and what is missing is what its preview shows.
 */
const metaFlows: [string, Json][] = Object.entries(metaExamples);

it.each(metaFlows)('a Flow JSON that Meta’s pages show has no errors: %s', (_, example) => {
  expect(errorsOf(example)).toEqual([]);
});

/**
 * Meta's pages "Components" and "Media upload components", as of April and June 2026, and "Flow JSON", as of March 2026,
 * show these with the version 7.3.
 */
const renewed = new Set([
  'rich text',
  'photo picker',
  'doc picker',
  'navigation list',
  'navigation list dynamic',
  'calendar picker single mode',
  'calendar picker range mode',
  'radio buttons with pics',
  'date picker dates obj',
  'if',
  'switch',
  'global fields',
  'forward refs',
]);

it.each(metaFlows.filter(([name]) => renewed.has(name)))(
  'a Flow JSON that Meta’s pages showed with an older version has no errors in version 7.3: %s',
  (_, example) => {
    expect(errorsOf({ ...example, version: '7.3' })).toEqual([]);
  },
);
