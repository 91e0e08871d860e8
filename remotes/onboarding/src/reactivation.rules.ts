export type State = 'loading' | 'reactivated' | 'already' | 'failed';

/** 4-reactivation-state-mapping: what the answer to finishing means; no answer yet is loading. */
export const stateOf = (status: number | undefined): State =>
  status === undefined ? 'loading' : status >= 200 && status < 300 ? 'reactivated' : status === 412 ? 'already' : 'failed';
