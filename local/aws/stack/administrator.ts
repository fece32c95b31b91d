/** Who sets the stack up. No role limits what is called with this access key. */
export const administrator = { accessKeyId: 'local-admin', secretAccessKey: 'local' };
