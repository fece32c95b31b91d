import { documentProperties, screenProperties } from '#shared/flow-json/document/document.ts';
import { any, formatted, optional } from '#shared/flow-json/document/shapes.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import { ShapeChecker } from '../check-shape.ts';
import type { Rule } from './rule.ts';

const checkedElsewhere = { version: optional(any), data_api_version: optional(any) };

/** Names, types, values and formats of everything that the tables describe. */
export const checkSchema: Rule = ({ document, version, screens }, report) => {
  const checker = new ShapeChecker(version, report);
  const channelUri = document.member('data_channel_uri');
  const isPartOfApi = isAtLeast(version, '3.0');
  const endpoint = { data_channel_uri: optional(isPartOfApi ? any : formatted('uri'), { literal: true }) };
  checker.checkObject(document, { ...documentProperties, ...checkedElsewhere, ...endpoint }, 'Flow JSON');
  if (channelUri !== undefined && isPartOfApi) {
    const message =
      "Property 'data_channel_uri' is not allowed since version 3.0: set the endpoint of the Flow instead.";
    report.error('INVALID_PROPERTY_KEY', message, channelUri);
  }
  for (const { node } of screens) checker.checkObject(node, screenProperties, 'screen');
};
