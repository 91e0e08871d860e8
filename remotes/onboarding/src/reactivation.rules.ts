export type State = 'loading' | 'reactivated' | 'already' | 'failed';

/** 4-reactivation-state-mapping: returns the state for the status of the response, or loading if there is no response yet. */
export const stateOf = (status: number | undefined): State =>
  status === undefined ? 'loading' : status >= 200 && status < 300 ? 'reactivated' : status === 412 ? 'already' : 'failed';
