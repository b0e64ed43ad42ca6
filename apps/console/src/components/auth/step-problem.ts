import { ApiError, errorText } from '../../api/errors.ts'

/** Whether the login took too long, or too many tries: nothing that is entered here can help then. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'login_ticket_invalid'
}

/** What to tell about a step that failed; `wrong` where the server's own words are about another kind of code. */
export function stepProblem(error: unknown, wrong?: string): string {
  if (error === null || isExpired(error)) return ''
  const isWrong = error instanceof ApiError && error.code === 'second_factor_wrong'
  return isWrong && wrong !== undefined ? wrong : errorText(error)
}
