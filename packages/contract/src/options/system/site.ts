import { choice, flag } from '../define.ts'
import { baseUrl, secret } from '../define-text.ts'

const general = { tab: 'system', section: 'general', guard: 'reauth' } as const
const worker = { tab: 'system', section: 'worker', guard: 'reauth' } as const
const proxy = { tab: 'system', section: 'proxy', guard: 'reauth' } as const

/** Where the site is, and what stands before and behind it. */
export const siteOptions = {
  ServerAddress: baseUrl(general),

  /** Set: downloads and webhooks go through this helper. */
  WorkerUrl: baseUrl(worker),
  WorkerValidKey: secret(worker),

  ReverseProxyEnabled: flag(proxy, false),
  ReverseProxyProvider: choice(proxy, ['nginx', 'cloudflare'], 'nginx'),
}
