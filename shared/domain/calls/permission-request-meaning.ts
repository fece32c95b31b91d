/** What can be wrong with a request for the permission to call, which is a message but follows the rules of calls. */
export type PermissionRequestMeaning = 'calling-disabled' | 'permission-requests-used-up' | 'permission-is-permanent';
