import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openApiYaml } from '#docs/write/openapi.ts';
import { operations } from '#functions/operations.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: Parameter[];
  requestBody?: object;
  responses: Record<
    string,
    {
      description: string;
      headers: Record<string, object>;
      content?: Record<string, object>;
    }
  >;
}

interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; headers: object; securitySchemes: object };
}

const committed = readFileSync(join(import.meta.dirname, '../openapi.yaml'), 'utf8');
const document = parse(committed) as OpenApi;
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** Responses without a body. */
const bodiless = new Set(
  operations.flatMap(({ method, path, responses }) =>
    Object.entries(responses).flatMap(([status, { body }]) => (body ? [] : [`${method} ${path} ${status}`])),
  ),
);

/** Operations whose body has fields to be valid or not; others take the raw body, or none. */
const withFields = new Set(operations.filter(({ body }) => body).map(({ method, path }) => `${method} ${path}`));

describe('openapi.yaml', () => {
  it('matches the contracts: if not, run npm run openapi', () => {
    expect(committed).toBe(openApiYaml());
  });

  it('is OpenAPI 3.1 and describes every operation', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(described.map(({ route }) => route).sort()).toEqual(
      operations.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('contains no broken reference, and no schema or header that nothing refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    const { schemas, headers } = document.components;
    const defined = Object.entries({ schemas, headers }).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((target) => !defined.includes(String(target)))).toEqual([]);
    expect(defined.filter((name) => !references.includes(name))).toEqual([]);
  });

  it('gives each operation a unique id', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it.each(described.map((entry) => [entry.route, entry] as const))(
    'openapi.yaml describes %s completely',
    (route, { path, operation }) => {
      expect(operation.summary).not.toBe('');
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);

      const statuses = Object.keys(operation.responses);
      expect(statuses).toContain('500');
      expect(statuses.some((status) => /^[23]\d\d$/.test(status))).toBe(true);
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description).not.toBe('');
        expect(Object.keys(content ?? {}).length).toBe(bodiless.has(`${route} ${status}`) ? 0 : 1);
      }
      for (const requirement of operation.security.flatMap(Object.keys)) {
        expect(document.components.securitySchemes).toHaveProperty(requirement);
        expect(statuses).toEqual(expect.arrayContaining(inPath.length > 0 ? ['401', '404'] : ['401']));
      }
      if (withFields.has(route)) expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415', '422']));
    },
  );
});

describe('the headers of responses', () => {
  const responsesOf = (wanted: (status: string, id: string) => boolean) =>
    described.flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses)
        .filter(([status]) => wanted(status, operationId))
        .map(([status, { headers }]) => [`${operationId} ${status}`, Object.keys(headers)] as const),
    );
  const lacking = (header: string, wanted: (status: string, id: string) => boolean) =>
    responsesOf(wanted).filter(([, headers]) => !headers.includes(header));

  it('include the id of the request in each', () => {
    expect(lacking('X-Request-Id', () => true)).toEqual([]);
  });

  it('include the code of each error, except for pages and for what phones read', () => {
    const without = lacking('X-Error-Code', (status) => Number(status) >= 400).map(([name]) => name);
    expect(new Set(without.map((name) => name.split(' ')[0]))).toEqual(
      new Set(['openPreview', 'unlockPreview', 'exchangeFlowData']),
    );
  });

  it('go with a description of each code, unless the error is the gateway’s own', () => {
    const unnamed = described.flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses)
        .filter(([, { headers, description }]) => headers['X-Error-Code'] && !namesCode(description))
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(unnamed.filter((name) => !/ (413|429)$/.test(name))).toEqual([]);
  });

  it('say when to try again in each 429 of the service, which the gateway does not', () => {
    const byGateway = described
      .filter(({ operation }) => !namesCode(operation.responses['429']?.description))
      .map(({ operation }) => `${operation.operationId} 429`);
    expect(lacking('Retry-After', (status) => status === '429').map(([name]) => name)).toEqual(byGateway);
  });

  it('include the code of the messaging platform in the errors of operations that call it', () => {
    const calling = new Set(
      operations.filter(({ uses }) => uses.upstream === 'call').map(({ name }) => camelCase(name)),
    );
    expect(calling.size).toBeGreaterThan(10);
    const ofUpstream = (status: string, id: string) => calling.has(id) && ['400', '429', '502', '504'].includes(status);
    expect(responsesOf(ofUpstream)).toHaveLength(4 * calling.size);
    expect(lacking('X-Upstream-Error-Code', ofUpstream)).toEqual([]);
  });
});

const namesCode = (description = '') => /^`\w+`: /.test(description);

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
