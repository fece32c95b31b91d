import type { Text } from '../language/language.ts';

/** What is said of endpoints that cannot be served and of keys that cannot be registered. */
export const endpointTexts = {
  none: {
    en: 'This Flow has no endpoint.',
    'pt-BR': 'Este Flow não tem endpoint.',
    es: 'Este Flow no tiene endpoint.',
  },
  deprecated: {
    en: 'This Flow is deprecated.',
    'pt-BR': 'Este Flow está descontinuado.',
    es: 'Este Flow está obsoleto.',
  },
  blocked: { en: 'This Flow is blocked.', 'pt-BR': 'Este Flow está bloqueado.', es: 'Este Flow está bloqueado.' },
  foreignKey: {
    en: 'The number {number} has a public key of somebody else: Flows whose endpoint it serves would break. Have the key of this service registered for it, then publish again.',
    'pt-BR':
      'O número {number} tem uma chave pública de outro: os Flows cujo endpoint ela atende deixariam de funcionar. Peça o registro da chave deste serviço e publique de novo.',
    es: 'El número {number} tiene una clave pública de otro: los Flows cuyo endpoint atiende dejarían de funcionar. Pida que se registre la clave de este servicio y publique de nuevo.',
  },
} as const satisfies Record<string, Text>;
