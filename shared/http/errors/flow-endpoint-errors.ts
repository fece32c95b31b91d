import type { ErrorEntry } from './error-entry.ts';

/** Errors about the endpoints of Flows and their keys. */
export const flowEndpointErrors = {
  'flow-endpoint.none': {
    status: 400,
    text: {
      en: 'This Flow has no endpoint.',
      'pt-BR': 'Este Flow não tem endpoint.',
      es: 'Este Flow no tiene endpoint.',
    },
  },
  'flow-endpoint.deprecated': {
    status: 410,
    text: {
      en: 'This Flow is deprecated.',
      'pt-BR': 'Este Flow está descontinuado.',
      es: 'Este Flow está obsoleto.',
    },
  },
  'flow-endpoint.blocked': {
    status: 403,
    text: { en: 'This Flow is blocked.', 'pt-BR': 'Este Flow está bloqueado.', es: 'Este Flow está bloqueado.' },
  },
  'flow-endpoint.unknown-number': {
    status: 400,
    text: {
      en: 'The WhatsApp platform does not know the number {number} ({id}), or does not let this service use it. Ask the operator of this service to check the number and to correct, deactivate or delete it, then publish again.',
      'pt-BR':
        'A plataforma do WhatsApp não conhece o número {number} ({id}) ou não permite que este serviço o use. Peça ao operador deste serviço que verifique o número e o corrija, desative ou exclua; depois publique de novo.',
      es: 'La plataforma de WhatsApp no conoce el número {number} ({id}) o no permite que este servicio lo use. Pida al operador de este servicio que compruebe el número y lo corrija, desactive o elimine; después publique de nuevo.',
    },
  },
  'flow-endpoint.foreign-key': {
    status: 400,
    text: {
      en: 'The number {number} has a public key of somebody else: Flows whose endpoint it serves would break. Have the key of this service registered for it, then publish again.',
      'pt-BR':
        'O número {number} tem uma chave pública de outro: os Flows cujo endpoint ela atende deixariam de funcionar. Peça o registro da chave deste serviço e publique de novo.',
      es: 'El número {number} tiene una clave pública de otro: los Flows cuyo endpoint atiende dejarían de funcionar. Pida que se registre la clave de este servicio y publique de nuevo.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
