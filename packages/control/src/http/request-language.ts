import { preferredLanguage, type Language } from '@tidegate/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

/** The language of texts for this request: `Accept-Language`, then the language of the site, then Chinese. */
export function requestLanguage({ catalog }: Pick<Deps, 'catalog'>, { headers }: FastifyRequest): Language {
  const site = catalog().settings['general_setting.default_language']
  return preferredLanguage(headers['accept-language'], site === 'auto' ? 'zh' : site)
}
