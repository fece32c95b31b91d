import type { ErrorEntry } from '#shared/http/error-entry.ts';

export const flowEndpointErrors = {
  'flow-endpoint.none': {
    status: 400,
    en: 'This Flow has no endpoint.',
    'pt-BR': 'Este Flow não tem endpoint.',
    es: 'Este Flow no tiene endpoint.',
  },
  'flow-endpoint.deprecated': {
    status: 410,
    en: 'This Flow is deprecated.',
    'pt-BR': 'Este Flow está descontinuado.',
    es: 'Este Flow está obsoleto.',
  },
  'flow-endpoint.blocked': {
    status: 403,
    en: 'This Flow is blocked.',
    'pt-BR': 'Este Flow está bloqueado.',
    es: 'Este Flow está bloqueado.',
  },
  'flow-endpoint.unknown-number': {
    status: 400,
    en: 'The messaging platform does not know the number {number} ({id}) or does not let this service use it. Ask the operator to correct, deactivate or delete the number, then publish again.',
    'pt-BR':
      'A plataforma de mensagens não conhece o número {number} ({id}) ou não permite que este serviço o use. Peça ao operador que corrija, desative ou exclua o número; depois publique de novo.',
    es: 'La plataforma de mensajería no conoce el número {number} ({id}) o no permite que este servicio lo use. Pida al operador que corrija, desactive o elimine el número; después publique de nuevo.',
  },
  'flow-endpoint.foreign-key': {
    status: 400,
    en: "The number {number} has another public key; replacing it would break the Flows that use it. Ask the operator to register this service's key, then publish again.",
    'pt-BR':
      'O número {number} tem outra chave pública; trocá-la quebraria os Flows que a usam. Peça ao operador que registre a chave deste serviço e publique de novo.',
    es: 'El número {number} tiene otra clave pública; reemplazarla afectaría a los Flows que la usan. Pida al operador que registre la clave de este servicio y publique de nuevo.',
  },
  'flow-file.not-found': {
    status: 404,
    en: 'There is no file at this address. An address works for an hour.',
    'pt-BR': 'Não há arquivo neste endereço. Um endereço funciona por uma hora.',
    es: 'No hay ningún archivo en esta dirección. Una dirección funciona durante una hora.',
  },
  'flow-file.unavailable': {
    status: 502,
    en: 'The messaging platform did not deliver the file. Try again.',
    'pt-BR': 'A plataforma de mensagens não entregou o arquivo. Tente de novo.',
    es: 'La plataforma de mensajería no entregó el archivo. Inténtelo de nuevo.',
  },
  'flow-file.altered': {
    status: 502,
    en: 'The file is not the one that the phone announced: its size, a hash or its HMAC differs. It was discarded.',
    'pt-BR': 'O arquivo não é o que o telefone anunciou: o tamanho, um hash ou o HMAC difere. Ele foi descartado.',
    es: 'El archivo no es el que anunció el teléfono: difiere el tamaño, un hash o el HMAC. Se descartó.',
  },
} as const satisfies Record<string, ErrorEntry>;
