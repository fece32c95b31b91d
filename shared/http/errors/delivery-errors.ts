import type { ErrorEntry } from './error-entry.ts';

/** Errors about deliveries, their targets and signing secrets. */
export const deliveryErrors = {
  'delivery.not-found': {
    status: 404,
    text: {
      en: 'Delivery not found, or older than {days} days.',
      'pt-BR': 'Entrega não encontrada ou com mais de {days} dias.',
      es: 'Entrega no encontrada o de hace más de {days} días.',
    },
  },
  'target.no-url': {
    status: 400,
    text: {
      en: 'No {target} URL is set, so there is nowhere to send to. Set one first.',
      'pt-BR': 'Nenhuma URL de {target} está definida, então não há para onde enviar. Defina uma primeiro.',
      es: 'No hay una URL de {target} definida, así que no hay adónde enviar. Defina una primero.',
    },
  },
  'target.circuit-open': {
    status: 400,
    text: {
      en: 'The {target} URL does not answer and is out of order. Mend it, resume it with POST …/webhook/resume, then replay.',
      'pt-BR':
        'A URL de {target} não responde e está fora de serviço. Conserte-a, retome-a com POST …/webhook/resume e então reenvie.',
      es: 'La URL de {target} no responde y está fuera de servicio. Arréglela, reanúdela con POST …/webhook/resume y luego reenvíe.',
    },
  },
  'signing-secret.changed-meanwhile': {
    status: 409,
    text: {
      en: 'Other requests keep changing this number. The signing secret was not replaced; try again.',
      'pt-BR':
        'Outras requisições continuam alterando este número. O segredo de assinatura não foi substituído; tente novamente.',
      es: 'Otras solicitudes siguen modificando este número. El secreto de firma no se reemplazó; inténtelo de nuevo.',
    },
  },
  'signing-secret.too-many-rotations': {
    status: 429,
    text: {
      en: 'The signing secret was replaced {count} times within 24 hours, and all of those secrets are still valid. You can replace it again at {at}.',
      'pt-BR':
        'O segredo de assinatura foi substituído {count} vezes em 24 horas, e todos esses segredos ainda são válidos. Você poderá substituí-lo novamente em {at}.',
      es: 'El secreto de firma se reemplazó {count} veces en 24 horas, y todos esos secretos siguen siendo válidos. Podrá reemplazarlo de nuevo el {at}.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
