import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import type { PhoneContext } from '#shared/domain/previews/exchange-as-phone.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { egress } from '../resources/egress.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';
import { exchangeContext } from './exchange-context.ts';

/** Together with the exchange itself, this is less than the gateway waits. */
const keyBudgetMs = 8_000;

/** What a preview page needs to query an endpoint as a phone would. */
export const phone = provider({ table, bucket, egress, upstream }, ({ upstream, ...opened }, now): PhoneContext => {
  const numbers = numberStore(opened.table);
  return {
    exchange: exchangeContext(opened, now),
    appSecret: async () => appSecrets(await upstream.credentials())[0],
    async publicKey(preview) {
      const number = await numbers.get(preview.number);
      if (!number?.active) return undefined;
      const encryption = upstreamEncryption(upstream.client(now() + keyBudgetMs));
      const registered = await encryption.registeredKey(number.phone_number_id);
      return typeof registered === 'string' ? undefined : registered.publicKey;
    },
  };
});
