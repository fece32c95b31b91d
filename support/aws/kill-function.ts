import { descendants } from '#support/processes.ts';

/** Kills the processes of a function of the local world. The requests that they serve end with the gateway's own 500. */
export function killFunction(functionName: string): void {
  for (const { pid, environment } of descendants(process.pid)) {
    if (environment.AWS_LAMBDA_FUNCTION_NAME === functionName) process.kill(pid, 'SIGKILL');
  }
}
