import type { ErrorEntry } from '#shared/http/error-entry.ts';

/** Errors about deliveries, their targets and signing secrets. */
export const deliveryErrors = {
  'delivery.not-found': {
    status: 404,
    en: 'Delivery not found or older than {days} days.',
    'pt-BR': 'Entrega não encontrada ou com mais de {days} dias.',
    es: 'Entrega no encontrada o con más de {days} días.',
  },
  'target.no-url': {
    status: 400,
    en: 'No {target} URL is set. Set one first.',
    'pt-BR': 'Nenhuma URL de {target} está definida. Defina uma primeiro.',
    es: 'No hay ninguna URL de {target} definida. Defina una primero.',
  },
  'target.built-in': {
    status: 400,
    en: 'Every number has {target}, so it cannot be deleted. Remove its URL with PUT …/webhook.',
    'pt-BR': 'Todo número tem {target}, então ele não pode ser excluído. Remova a URL com PUT …/webhook.',
    es: 'Todo número tiene {target}, así que no se puede eliminar. Quite su URL con PUT …/webhook.',
  },
  'target.too-many': {
    status: 400,
    en: 'The number has {max} targets with names of their own already: {targets}. Delete one first.',
    'pt-BR': 'O número já tem {max} destinos com nomes próprios: {targets}. Exclua um primeiro.',
    es: 'El número ya tiene {max} destinos con nombres propios: {targets}. Elimine uno primero.',
  },
  'target.other-url': {
    status: 409,
    en: 'The {target} URL is another one now. Read it, and send the request again with it if it is the right one.',
    'pt-BR': 'A URL de {target} agora é outra. Leia-a e, se for a certa, reenvie a requisição com ela.',
    es: 'La URL de {target} ahora es otra. Léala y, si es la correcta, reenvíe la solicitud con ella.',
  },
  'target.circuit-open': {
    status: 400,
    en: 'The {target} URL is failing: its circuit breaker is open. Fix it, resume it with POST …/webhook/resume, then replay.',
    'pt-BR':
      'A URL de {target} está falhando: o circuit breaker está aberto. Corrija-a, retome-a com POST …/webhook/resume e então reenvie.',
    es: 'La URL de {target} está fallando: su circuit breaker está abierto. Corríjala, reanúdela con POST …/webhook/resume y luego reenvíe.',
  },
  'signing-secret.changed-meanwhile': {
    status: 409,
    en: 'Other requests keep changing the settings. The signing secret was not rotated. Try again.',
    'pt-BR':
      'Outras requisições estão alterando as configurações. O segredo de assinatura não foi trocado. Tente de novo.',
    es: 'Otras solicitudes están modificando la configuración. El secreto de firma no se reemplazó. Inténtelo de nuevo.',
  },
  'signing-secret.too-many-rotations': {
    status: 429,
    saysWhen: true,
    en: 'The signing secret was rotated {count} times within 24 hours, and all of those secrets are still valid. You can rotate it again at {at}.',
    'pt-BR':
      'O segredo de assinatura foi trocado {count} vezes em 24 horas, e todos esses segredos ainda são válidos. Você poderá trocá-lo de novo em {at}.',
    es: 'El secreto de firma se reemplazó {count} veces en 24 horas, y todos esos secretos siguen siendo válidos. Podrá reemplazarlo de nuevo el {at}.',
  },
} as const satisfies Record<string, ErrorEntry>;
