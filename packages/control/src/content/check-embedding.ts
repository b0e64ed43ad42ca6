import type { api } from '@tidegate/contract'
import { UpstreamFailure, type UpstreamClient } from '@tidegate/providers'
import type { Deps } from '../deps.ts'

const TIMEOUT_MS = 4_000
const MAX_REDIRECTS = 3
const KEPT_MS = 5 * 60_000
/** Twice the number of chat links. */
const MAX_KEPT = 200

interface KeptResult {
  until: number
  result: Promise<api.ChatEmbedding>
}

/**
 * Checks whether pages of this site may embed a chat, which browsers do not report. The link is requested without an
 * API token. Results are kept for some minutes.
 */
export function createEmbeddingCheck(deps: Pick<Deps, 'catalog' | 'now' | 'webhookClient'>) {
  const kept = new Map<string, KeptResult>()
  /** `host` is used while the site has no server address. */
  return (index: number, host: string): Promise<api.ChatEmbedding> => {
    const { Chats, ServerAddress } = deps.catalog().settings
    const template = Object.values(Chats[index] ?? {})[0] ?? ''
    const url = template.replaceAll('{key}', '').replaceAll('{address}', encodeURIComponent(ServerAddress))
    const { webhookClient: client } = deps
    const site = (URL.parse(ServerAddress) ?? URL.parse(`https://${host}`))?.origin
    if (!/^https?:/i.test(url) || !URL.canParse(url) || !client || !site) return Promise.resolve('unknown')
    const time = deps.now().getTime()
    for (const [key, { until }] of kept) if (until <= time) kept.delete(key)
    if (kept.size >= MAX_KEPT) kept.clear()
    const name = `${site} ${url}`
    const known = kept.get(name) ?? { until: time + KEPT_MS, result: checkEmbedding(client, url, site) }
    kept.set(name, known)
    return known.result
  }
}

async function checkEmbedding(client: UpstreamClient, url: string, site: string): Promise<api.ChatEmbedding> {
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
        return allowsFrame({ frameOptions, policy, page: address.origin, site }) ? 'allowed' : 'refused'
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

interface FrameRules {
  frameOptions: string | string[] | undefined
  policy: string | string[] | undefined
  /** Origins of the chat and of this site. */
  page: string
  site: string
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
