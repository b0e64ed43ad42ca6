import { CallError } from './call-error.ts'

/** Nothing answered, or something that stands before a server that is away. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.code === 'network' || (error.code === 'unknown' && [502, 503, 504].includes(error.status))
}
