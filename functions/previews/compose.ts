import { exchangeContext } from '#functions/flow-endpoint/compose.ts';
import { numbers } from '#functions/flows/compose.ts';
import { ownAppsReader } from '#shared/accounts/credentials-store.ts';
import { ownAppSecret } from '#shared/accounts/event-signature.ts';
import { callTimeoutMs } from '#shared/base/time-limits.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { credentialsOf, table, upstream } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import type { PhoneContext } from '#shared/previews/exchange-as-phone.ts';
import type { PreviewRecord } from '#shared/previews/preview-access.ts';
import { previewAssets } from '#shared/previews/preview-assets.ts';
import { previewStore } from '#shared/previews/preview-store.ts';

export const previews = (environment: Environment<'table'>) => previewStore(table(environment));

/** The preview page's files. The build puts them beside the bundles of the functions that need them. */
export const assets = () => previewAssets(new URL('./assets/', import.meta.url));

/** What a preview page needs to query an endpoint as a phone would. */
export const phone = (environment: Environment<'table' | 'bucket' | 'egress' | 'upstream'>): PhoneContext => {
  const { client } = upstream(environment);
  const ownApps = ownAppsReader(table(environment), Date.now);
  const ownOf = async ({ workspace: id }: PreviewRecord) => (await ownApps()).get(id);
  const ownerOf = async (preview: PreviewRecord) => (await ownOf(preview)) ?? { id: preview.workspace };
  return {
    exchange: exchangeContext(environment),
    appSecret: async (preview) => ownAppSecret(await ownOf(preview), credentialsOf(environment)),
    async publicKey(preview) {
      const number = await numbers(environment).get(preview.number);
      if (!number?.active) return undefined;
      const encryption = upstreamEncryption(client(await ownerOf(preview), Date.now() + callTimeoutMs));
      const registered = await encryption.registeredKey(number.phone_number_id);
      return typeof registered === 'string' ? undefined : registered.publicKey;
    },
  };
};
