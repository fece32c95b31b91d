/** Somebody, or some program, that calls the API; workspaces know it by its id alone. */
export interface User {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  created_at: number;
}
