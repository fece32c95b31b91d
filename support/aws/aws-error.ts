/** An error as the SDK throws it: its name is the service's code, and the rest of the response's body are members. */
export const awsError = (name: string, message: string, members: object = {}): Error =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: 400 }, ...members });
