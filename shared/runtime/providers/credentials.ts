import { provider } from '../provider.ts';
import { credentials as resource } from '../resources/credentials.ts';

export const credentials = provider({ resource }, (opened) => opened.resource);
