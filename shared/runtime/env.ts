/** The value of an environment variable that the stack sets; missing is a fault of the deployment, said at start. */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set`);
  return value;
}
