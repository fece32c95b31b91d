import { localHosts } from '#local/aws/base/http/local-requests.ts';
import { maxBytes } from '#shared/flow-json/document/read-flow.ts';
import { GraphError } from '../http/graph-errors.ts';
import { fileParam, missing, type Params, stringListParam, stringParam } from '../http/params.ts';
import { type FlowMetadata, flowCategories } from './flows.ts';

const maxNameLength = 200;

/** The parameters of a new Flow. These readers throw Graph's "Invalid parameter" if one is missing or wrong. */
export function readNewMetadata(params: Params): FlowMetadata {
  const { name, categories, endpoint_uri = null } = readMetadata(params);
  if (name === undefined) throw missing('name');
  if (categories === undefined) throw missing('categories');
  return { name, categories, endpoint_uri };
}

/** The parameters of an update. Omitted ones keep their value. */
export function readMetadata(params: Params): Partial<FlowMetadata> {
  const name = stringParam(params, 'name');
  const categories = stringListParam(params, 'categories');
  const uri = stringParam(params, 'endpoint_uri');
  // Meta documents no way to remove an endpoint; an empty text is what others send.
  const endpoint_uri = uri === '' ? null : uri;
  if (name !== undefined) assertName(name);
  if (categories !== undefined) assertCategories(categories);
  if (typeof endpoint_uri === 'string') assertEndpointUri(endpoint_uri);
  return {
    ...(name !== undefined && { name }),
    ...(categories !== undefined && { categories }),
    ...(endpoint_uri !== undefined && { endpoint_uri }),
  };
}

function assertName(name: string): void {
  if (name.trim() === '' || [...name].length > maxNameLength) {
    throw new GraphError('invalid_parameter', `Param name must have 1 to ${maxNameLength} characters`);
  }
}

function assertCategories(categories: readonly string[]): void {
  if (categories.length === 0) {
    throw new GraphError('invalid_parameter', 'Param categories must have at least one item');
  }
  const unknown = categories.find((category) => !flowCategories.includes(category));
  if (unknown !== undefined) {
    const expected = flowCategories.join(', ');
    throw new GraphError('invalid_parameter', `Param categories must be one of {${expected}} - got "${unknown}"`);
  }
}

/** Graph demands https. A service on the same machine may have an endpoint on loopback. */
function assertEndpointUri(uri: string): void {
  const url = URL.parse(uri);
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && localHosts.includes(url.hostname));
  if (!allowed) throw new GraphError('endpoint_uri_invalid');
}

export function readFlowJson(params: Params): string | undefined {
  const flowJson = stringParam(params, 'flow_json');
  if (flowJson !== undefined) assertFlowJsonSize(Buffer.byteLength(flowJson));
  return flowJson;
}

/** The Flow JSON of an upload to the edge `assets`. */
export function readAsset(params: Params): string {
  const { bytes } = fileParam(params, 'file');
  assertEquals(params, 'name', 'flow.json');
  assertEquals(params, 'asset_type', 'FLOW_JSON');
  assertFlowJsonSize(bytes.length);
  return new TextDecoder().decode(bytes);
}

function assertEquals(params: Params, name: string, expected: string): void {
  if (stringParam(params, name) !== expected) {
    throw new GraphError('invalid_parameter', `Param ${name} must be ${expected}`);
  }
}

function assertFlowJsonSize(bytes: number): void {
  if (bytes > maxBytes) throw new GraphError('invalid_parameter', 'The maximum size of the Flow JSON is 10 MB');
}
