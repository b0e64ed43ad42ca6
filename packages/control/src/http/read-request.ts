import { ApiError, type Endpoint, JsonScanner, type Language, MAX_DEPTH, preferredLanguage } from '@tidegate/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

const BODY_BYTES = 1024 * 1024
/** Anonymous bodies: parsing this size takes a few milliseconds. */
const ANONYMOUS_BODY_BYTES = 64 * 1024
/** Parsing that many takes about 10 ms. */
const LIMITS = { values: 40_000, members: 20_000 }

export function bodyLimitOf({ access, largestBody }: Pick<Endpoint, 'access' | 'largestBody'>): number {
  const isAnonymous = access === 'public' || access === 'visitor'
  return largestBody ?? (isAnonymous ? ANONYMOUS_BODY_BYTES : BODY_BYTES)
}

/** Undefined for an empty body: the console always sends the JSON content type. */
export function readJsonBody({ body }: Pick<FastifyRequest, 'body'>): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  if (new JsonScanner(LIMITS).push(body)) {
    throw new ApiError('body_too_complex', { depth: MAX_DEPTH, values: LIMITS.values })
  }
  return JSON.parse(body.toString('utf8'))
}

/** Language of the response: `Accept-Language`, then the site language, then Chinese. */
export function requestLanguage({ catalog }: Pick<Deps, 'catalog'>, { headers }: FastifyRequest): Language {
  const site = catalog().settings['general_setting.default_language']
  return preferredLanguage(headers['accept-language'], site === 'auto' ? 'zh' : site)
}
