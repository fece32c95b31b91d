import type { Text } from '../language/language.ts';

/** What the pages around a preview say. */
export const previewTexts = {
  title: { en: 'Flow preview', 'pt-BR': 'Prévia do Flow', es: 'Vista previa del Flow' },
  enterSecret: {
    en: 'Enter the six digits that came with this link.',
    'pt-BR': 'Digite os seis dígitos que vieram com este link.',
    es: 'Introduzca los seis dígitos que venían con este enlace.',
  },
  secret: { en: 'Six-digit code', 'pt-BR': 'Código de seis dígitos', es: 'Código de seis dígitos' },
  open: { en: 'Open the preview', 'pt-BR': 'Abrir a prévia', es: 'Abrir la vista previa' },
  wrongSecret: {
    en: 'This is not the code of this preview. Check it and try again.',
    'pt-BR': 'Este não é o código desta prévia. Confira e tente de novo.',
    es: 'Este no es el código de esta vista previa. Compruébelo e inténtelo de nuevo.',
  },
  notFoundTitle: { en: 'No such preview', 'pt-BR': 'Prévia inexistente', es: 'Vista previa inexistente' },
  notFound: {
    en: 'This preview does not exist, or its time is over. Ask for a new link.',
    'pt-BR': 'Esta prévia não existe ou já expirou. Peça um novo link.',
    es: 'Esta vista previa no existe o ha caducado. Pida un enlace nuevo.',
  },
  lockedTitle: { en: 'Preview locked', 'pt-BR': 'Prévia bloqueada', es: 'Vista previa bloqueada' },
  locked: {
    en: 'Too many wrong codes were entered. Ask for a new link.',
    'pt-BR': 'Foram digitados códigos errados demais. Peça um novo link.',
    es: 'Se introdujeron demasiados códigos incorrectos. Pida un enlace nuevo.',
  },
  tooLarge: {
    en: 'This Flow is too large for a preview.',
    'pt-BR': 'Este Flow é grande demais para uma prévia.',
    es: 'Este Flow es demasiado grande para una vista previa.',
  },
  noEndpoint: {
    en: 'This Flow has no endpoint: set its endpoint_url.',
    'pt-BR': 'Este Flow não tem endpoint: defina sua endpoint_url.',
    es: 'Este Flow no tiene endpoint: defina su endpoint_url.',
  },
  noPublicKey: {
    en: 'The number of this preview has no public key, so that nothing can be encrypted for the endpoint.',
    'pt-BR': 'O número desta prévia não tem chave pública; nada pode ser criptografado para o endpoint.',
    es: 'El número de esta vista previa no tiene clave pública; no se puede cifrar nada para el endpoint.',
  },
  tokenRefused: {
    en: 'The endpoint does not take this flow token any more (427).',
    'pt-BR': 'O endpoint não aceita mais este flow token (427).',
    es: 'El endpoint ya no acepta este flow token (427).',
  },
  needsScript: {
    en: 'The preview needs JavaScript.',
    'pt-BR': 'A prévia precisa de JavaScript.',
    es: 'La vista previa necesita JavaScript.',
  },
} as const satisfies Record<string, Text>;
