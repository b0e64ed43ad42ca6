import type { api } from '@tidegate/contract'
import { UpstreamFailure, type UpstreamClient } from '@tidegate/providers'
import type { Deps } from '../deps.ts'

const TIMEOUT_MS = 4_000
const MAX_REDIRECTS = 3
const CACHE_MS = 5 * 60_000
/** Twice the number of chat links. */
const MAX_CACHED = 200

/** What the response of a page allows, or why there is none. */
type PageResult = Omit<FrameRules, 'site'> | 'unreachable' | 'unknown'

interface FrameRules {
  frameOptions: string | string[] | undefined
  policy: string | string[] | undefined
  /** Origins of the chat and of this site. */
  page: string
  site: string
}

/**
 * Checks whether pages of this site may embed a chat, which browsers do not report. The link is requested without an
 * API token. Responses are cached by link, because a user can vary the host.
 */
export function createEmbeddingCheck(deps: Pick<Deps, 'catalog' | 'now' | 'webhookClient'>) {
  const cache = new Map<string, { until: number; result: Promise<PageResult> }>()
  /** `host` is used while the site has no server address. */
  return async (index: number, host: string): Promise<api.ChatEmbedding> => {
    const { Chats, ServerAddress } = deps.catalog().settings
    const template = Object.values(Chats[index] ?? {})[0] ?? ''
    const url = template.replaceAll('{key}', '').replaceAll('{address}', encodeURIComponent(ServerAddress))
    const { webhookClient: client } = deps
    const site = (URL.parse(ServerAddress) ?? URL.parse(`https://${host}`))?.origin
    if (!/^https?:/i.test(url) || !URL.canParse(url) || !client || !site) return 'unknown'
    const time = deps.now().getTime()
    for (const [key, { until }] of cache) if (until <= time) cache.delete(key)
    if (cache.size >= MAX_CACHED) cache.clear()
    const cached = cache.get(url) ?? { until: time + CACHE_MS, result: requestPage(client, url) }
    cache.set(url, cached)
    const result = await cached.result
    if (typeof result === 'string') return result
    return allowsFrame({ ...result, site }) ? 'allowed' : 'refused'
  }
}

async function requestPage(client: UpstreamClient, url: string): Promise<PageResult> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    let address = new URL(url)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers = { accept: 'text/html', 'user-agent': 'tidegate' }
      address.hash = ''
      const response = await client.open({ url: address.href, method: 'GET', headers, signal, single: true })
      response.abort()
      const { location, 'x-frame-options': frameOptions, 'content-security-policy': policy } = response.headers
      if (response.status >= 500) return 'unreachable'
      if (response.status < 300 || response.status >= 400 || location === undefined) {
        return { frameOptions, policy, page: address.origin }
      }
      address = new URL(location, address)
    }
    return 'unknown'
  } catch (error) {
    // The browser of the user may reach a network that this server must not or cannot reach.
    const code = error instanceof UpstreamFailure ? error.error.code : undefined
    return code === 'upstream_private_address' || code === 'upstream_egress_not_allowed' ? 'unknown' : 'unreachable'
  }
}

/** As browsers decide: `frame-ancestors` overrides `X-Frame-Options`. */
export function allowsFrame({ frameOptions, policy, page, site }: FrameRules): boolean {
  const ancestors = [policy ?? []]
    .flat()
    .flatMap((header) => header.split(/[,;]/))
    .map((directive) => directive.trim().toLowerCase().split(/\s+/))
    .filter(([name]) => name === 'frame-ancestors')
  if (ancestors.length > 0) {
    return ancestors.every(([, ...sources]) => sources.some((source) => matches(source, page, site)))
  }
  const options = [frameOptions ?? []].flat().flatMap((header) => header.toLowerCase().split(','))
  return options.every((option) => {
    const rule = option.trim()
    return rule === 'sameorigin' ? page === site : rule !== 'deny'
  })
}

function matches(source: string, page: string, site: string): boolean {
  if (source === '*') return true
  if (source === "'self'") return page === site
  const { protocol, host, hostname } = new URL(site)
  if (source === protocol || (source === 'http:' && protocol === 'https:')) return true
  const [, scheme, name = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/]+)/.exec(source) ?? []
  if (scheme !== undefined && `${scheme}:` !== protocol && !(scheme === 'http' && protocol === 'https:')) return false
  if (name.startsWith('*.')) return hostname.endsWith(name.slice(1).replace(/:.*$/, ''))
  return name === host || (name === `${hostname}:*` && !name.startsWith("'"))
}
