/** A person or a program that calls the API. Workspaces refer to it only by its id. */
export interface User {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  created_at: number;
}
