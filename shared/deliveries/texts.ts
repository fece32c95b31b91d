import type { Text } from '../language/language.ts';

/** What is said of deliveries and their targets. */
export const deliveryTexts = {
  notFound: {
    en: 'Delivery not found, or older than {days} days.',
    'pt-BR': 'Entrega não encontrada ou com mais de {days} dias.',
    es: 'Entrega no encontrada o de hace más de {days} días.',
  },
  noUrl: {
    en: 'No {target} URL is set, so there is nowhere to send to. Set one first.',
    'pt-BR': 'Nenhuma URL de {target} está definida, então não há para onde enviar. Defina uma primeiro.',
    es: 'No hay una URL de {target} definida, así que no hay adónde enviar. Defina una primero.',
  },
  outOfOrder: {
    en: 'The {target} URL does not answer and is out of order. Mend it, resume it with POST …/webhook/resume, then replay.',
    'pt-BR':
      'A URL de {target} não responde e está fora de serviço. Conserte-a, retome-a com POST …/webhook/resume e então reenvie.',
    es: 'La URL de {target} no responde y está fuera de servicio. Arréglela, reanúdela con POST …/webhook/resume y luego reenvíe.',
  },
  rotating: {
    en: 'The signing secret was replaced by another request just now. Rotate it again only if that is what you want.',
    'pt-BR':
      'O segredo de assinatura acaba de ser trocado por outra requisição. Troque-o de novo só se for o que deseja.',
    es: 'Otra solicitud acaba de reemplazar el secreto de firma. Rótelo de nuevo solo si es lo que desea.',
  },
} as const satisfies Record<string, Text>;
