import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { missing, stringParam } from '../http/params.ts';

/** Public keys (PEM) by phone number id. */
export interface PublicKeys {
  get(phoneNumberId: string): string | undefined;
  set(phoneNumberId: string, publicKey: string): unknown;
}

/** The keys, with the faults that are switched on. */
export function faultyKeys(keys: PublicKeys, faults: SetupFaults): PublicKeys {
  let otherKey: string | undefined;
  const other = () => {
    otherKey ??= newPublicKey();
    return otherKey;
  };
  return {
    get(phoneNumberId) {
      if (faults.has('key_missing')) return undefined;
      if (faults.has('other_key')) return other();
      return keys.get(phoneNumberId) ?? (faults.has('key_mismatch') ? other() : undefined);
    },
    set(phoneNumberId, publicKey) {
      keys.set(phoneNumberId, publicKey);
      faults.lift('key_missing', 'other_key', 'key_mismatch');
    },
  };
}

/** The key of the given number, or of the account's first number that has one. */
export function publicKeyFor(keys: PublicKeys, account: BusinessAccount, phoneNumberId?: string): string | undefined {
  const numbers = account.phone_numbers.filter(({ id }) => phoneNumberId === undefined || id === phoneNumberId);
  return numbers.map(({ id }) => keys.get(id)).find((key) => key !== undefined);
}

/** Graph's operations on the keys that phones encrypt for (Meta's page "WhatsApp Business Encryption"). */
export function encryptionRoutes({ accounts, faults }: Platform, keys: PublicKeys): GraphRoute[] {
  const edge = 'whatsapp_business_encryption';
  return [
    { operation: 'get_public_key', method: 'GET', edge, handle: ({ id }) => ({ data: keyOf(numberOf(id)) }) },
    { operation: 'set_public_key', method: 'POST', edge, handle: register },
  ];

  function keyOf(id: string) {
    const key = keys.get(id);
    const business_public_key_signature_status = faults.has('key_mismatch') ? 'MISMATCH' : 'VALID';
    return key === undefined ? [] : [{ business_public_key: key, business_public_key_signature_status }];
  }

  function register({ id, params }: GraphRequest) {
    const key = stringParam(params, 'business_public_key');
    if (key === undefined) throw missing('business_public_key');
    assertRsa2048(key);
    keys.set(numberOf(id), key);
    return { success: true };
  }

  function numberOf(id: string): string {
    if (findNumber(accounts, id) === undefined) throw new GraphError('object_missing');
    return id;
  }
}

function newPublicKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).publicKey;
}

function assertRsa2048(pem: string): void {
  if (modulusLength(pem) === 2048 && pem.includes('BEGIN PUBLIC KEY')) return;
  throw new GraphError('invalid_parameter', 'Param business_public_key must be an RSA public key of 2048 bits in PEM');
}

function modulusLength(pem: string): number | undefined {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.modulusLength;
  } catch {
    return undefined;
  }
}
