/** An error returned by the server: RFC 9457 with a code. `status` 0 with code `network` means that there was no response. */
export interface Problem {
  status: number;
  code: string;
  title: string;
  errors?: readonly { field: string; code: string }[];
}

/** A Problem that can be thrown. Its code is the id of the text that the customer sees. */
export class ProblemError extends Error implements Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly errors?: readonly { field: string; code: string }[];
  constructor(p: Problem) {
    super(`${p.status} ${p.code}`);
    this.name = 'Problem';
    this.status = p.status;
    this.code = p.code;
    this.title = p.title;
    if (p.errors) this.errors = p.errors;
  }
}

/** Returns the problem in a response that is not 2xx, whatever its body contains. */
export async function problemOf(answer: Response): Promise<ProblemError> {
  const body = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  return new ProblemError({
    status: answer.status,
    code: typeof body.code === 'string' ? body.code : answer.status >= 500 ? 'unavailable' : 'unexpected',
    title: typeof body.title === 'string' ? body.title : answer.statusText,
    ...(Array.isArray(body.errors) ? { errors: body.errors } : {}),
  });
}
