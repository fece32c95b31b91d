/** The credentials that set the stack up. No role limits this access key. */
export const administrator = { accessKeyId: 'local-admin', secretAccessKey: 'local' };
