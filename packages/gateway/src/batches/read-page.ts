import type { ApiRequest } from '../http/api-request.ts'
import { requireField } from '../http/read-body.ts'

export function queryOf({ request: { url = '' } }: Pick<ApiRequest, 'request'>): URLSearchParams {
  return new URL(url, 'http://gateway').searchParams
}

/** The size of a page. */
export function readLimit(query: URLSearchParams, { max, usual }: { max: number; usual: number }): number {
  const text = query.get('limit')
  if (text === null) return usual
  const limit = Number(text)
  requireField(Number.isInteger(limit) && limit >= 1 && limit <= max, `limit must be from 1 to ${max}`)
  return limit
}
