import { targets } from '#functions/webhooks/compose.ts';
import type { Membership } from '#shared/accounts/membership-store.ts';
import { listOf, own, parseJson } from '#shared/base/json.ts';
import { invalidField } from '#shared/base/service-error.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphRequest,
  passOn,
} from '#shared/graph-paths/create-graph-handler.ts';
import { numberOf, remember } from '#shared/graph-paths/find-object.ts';
import { missingObject } from '#shared/graph-paths/graph-errors.ts';
import { pageOf, withOwnLinks } from '#shared/graph-paths/paging-links.ts';
import { isId } from '#shared/graph-paths/path-routing.ts';
import { registeredUrls, registrationName } from '#shared/graph-paths/register-webhook.ts';
import { mediaPath, pathOf } from '#shared/http/path.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { graphDependencies } from './compose.ts';
import { graphRead as contract } from './contracts.ts';

interface Dependencies extends GraphDependencies {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  targets: Pick<TargetStore, 'read'>;
}

/** The most pages of a list from which a request takes what is the user's. */
const maxListPages = 100;

/** The most numbers of which one request reads figures or targets. */
const maxNumbers = 100;

export const makeHandler = (dependencies: Dependencies) => {
  const { objects, upstream, media, targets, baseUrl } = dependencies;

  const { read } = passOn(upstream);

  /** Reads a page, with links of ours to others. */
  const readPage = async (request: GraphRequest) =>
    withOwnLinks(Object(await read.run(request)), request.path, request.query, baseUrl);

  /** Of an account that others share, only what is the user's is listed. */
  const listOwn = (among: (ids: string[], memberships: readonly Membership[]) => Promise<string[]>) => ({
    async run({ object, path, query }: GraphRequest) {
      const { limit: _, after: __, before: ___, ...filters } = query;
      const entries: { id: string }[] = [];
      for await (const page of upstream(object.workspace).pages(object.id, path.edge, filters, maxListPages)) {
        const kept = new Set(await among(page.map(({ id }) => id).filter(isId), object.memberships));
        entries.push(...page.filter(({ id }) => kept.has(id)));
      }
      return withOwnLinks(pageOf(entries, query), path, query, baseUrl);
    },
  });

  /** Of an account that others share, only the figures of the user's own numbers are read. */
  const readFigures = {
    async run(request: GraphRequest) {
      const { numbers } = await objects.numbersIn(request.object.memberships, maxNumbers);
      const allowed = numbers.map(({ display_phone_number }) => display_phone_number.replace(/\D/g, ''));
      const asked = request.query.phone_numbers === undefined ? allowed : phoneNumbersIn(request.query.phone_numbers);
      if (!asked.every((number) => allowed.includes(number))) {
        throw invalidField('phone_numbers', 'selected', { values: allowed.join(', ') });
      }
      if (asked.length === 0) return { data: [] };
      return readPage({ ...request, query: { ...request.query, phone_numbers: JSON.stringify(asked) } });
    },
  };

  return createGraphHandler('read', dependencies, {
    getNumber: read,
    getCallPermission: read,
    getProfile: read,
    getAccount: read,
    getFlow: read,
    getTemplate: read,
    listNumbers: listOwn(objects.numbersAmong),
    listFlows: listOwn(objects.flowsAmong),
    listTemplates: {
      async run(request) {
        // Some clients cannot read a second page, whose address has no token.
        const response = await readPage({ ...request, query: { limit: '100', ...request.query } });
        const ids = listOf(own(response, 'data')).map((template) => String(own(template, 'id')));
        await remember(request.object.id, ids.filter(isId), dependencies);
        return response;
      },
    },
    listRegistrations: {
      async run({ user, object }) {
        const { numbers } = await objects.numbersIn(object.memberships, maxNumbers);
        const app = { id: user, name: registrationName(user), link: '' };
        const urls = await registeredUrls(numbers, user, targets);
        const overrides = urls.map((override_callback_uri) => ({ override_callback_uri }));
        // Every app is subscribed: its targets say what it gets.
        const all = overrides.length > 0 ? overrides : [{}];
        return { data: all.map((override) => ({ whatsapp_business_api_data: app, ...override })) };
      },
    },
    getTemplateAnalytics: { run: readPage },
    getPricingAnalytics: readFigures,
    getConversationAnalytics: readFigures,
    getCallAnalytics: readFigures,
    getMedia: {
      async run({ object, path }) {
        const { id, phone_number_id } = numberOf(object);
        const file = object.file ?? (await media(object.workspace).describe(object.id, phone_number_id));
        if (typeof file === 'string') throw missingObject('GET', path.id);
        return {
          messaging_product: 'whatsapp',
          url: `${baseUrl}${pathOf(mediaPath, { number: id, id: object.id })}`,
          mime_type: file.mimeType,
          ...(file.sha256 !== undefined && { sha256: file.sha256 }),
          ...(file.size !== undefined && { file_size: file.size }),
          id: object.id,
        };
      },
    },
  });
};

/** A list in JSON, or numbers with commas between them. */
function phoneNumbersIn(text: string): string[] {
  const list = parseJson(text);
  const numbers = Array.isArray(list) ? list.map((number) => JSON.stringify(number)) : text.split(',');
  return numbers.map((number) => number.replace(/\D/g, ''));
}

export const start = servePublic(contract, makeHandler, {
  ...graphDependencies,
  targets,
  baseUrl,
});
