import { findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { parseFields } from '../http/node.ts';
import { assertProduct } from '../http/params.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Its picture is on a public host. */
const seeded: Profile = {
  about: 'Hey there! I am using WhatsApp.',
  profile_picture_url: 'https://pps.whatsapp.net/v/t61.24694-24/picture.jpg?ccb=11-4',
  vertical: 'OTHER',
};

const settable = ['about', 'address', 'description', 'email', 'vertical', 'websites'];

/** Graph's operations on the profile that contacts see (Meta's page "Business profiles"). */
export function profileRoutes({ accounts, open }: Platform): GraphRoute[] {
  const profiles = open<Profile>('profiles');
  const edge = 'whatsapp_business_profile';
  const takes = ({ id }: GraphRequest) => findNumber(accounts, id) !== undefined;
  return [
    { operation: 'get_profile', method: 'GET', edge, takes, handle: read },
    { operation: 'update_profile', method: 'POST', edge, takes, handle: update },
  ];

  function read({ id, url }: GraphRequest) {
    const profile = profiles.get(id) ?? seeded;
    const names = parseFields(url.searchParams.get('fields') ?? 'about');
    const shown = names.flatMap((name) => (profile[name] === undefined ? [] : [[name, profile[name]]]));
    return { data: [{ ...Object.fromEntries(shown), messaging_product: 'whatsapp' }] };
  }

  function update({ id, params }: GraphRequest) {
    assertProduct(params);
    const changes = [...params].filter(([name]) => settable.includes(name));
    profiles.set(id, { ...(profiles.get(id) ?? seeded), ...Object.fromEntries(changes) });
    return { success: true };
  }
}
