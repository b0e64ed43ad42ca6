import { createHash } from 'node:crypto'
import type { Settings } from '@tidegate/contract'

const ALWAYS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** For every response of the control plane and the console. Other sites may embed only files of the console. */
export function securityHeaders({ isSecure, isApi }: { isSecure: boolean; isApi: boolean }): Record<string, string> {
  return {
    ...ALWAYS,
    ...(isApi && { 'Cross-Origin-Resource-Policy': 'same-origin' }),
    ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/** For pages: isolates their windows from other sites, except popups for sign-in and payment. */
export const PAGE_HEADERS: Record<string, string> = {
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * For pages. Only own scripts are allowed, and the sign-in and Turnstile widgets while they are enabled. Styles may be
 * inline: the component library sets them on elements.
 */
export function contentSecurityPolicy(
  settings: Pick<
    Settings,
    'TurnstileCheckEnabled' | 'TelegramOAuthEnabled' | 'PayAddress' | 'ServerAddress' | 'global_js'
  >,
  headScripts: readonly string[] = [],
): string {
  // Payment orders are forms posted to the payment gateway, which may be without TLS in the operator's network.
  const gateway = originOf(settings.PayAddress, /^http:$/)
  // The token test of the console calls the server address.
  const ourselves = originOf(settings.ServerAddress, /^https?:$/)
  // Scripts of the operator, such as analytics, send data to unknown hosts.
  const ownScripts = headScripts.length > 0 || settings.global_js.trim() !== '' ? ['https:'] : []
  const widgets = [
    ...(settings.TurnstileCheckEnabled ? ['https://challenges.cloudflare.com'] : []),
    ...(settings.TelegramOAuthEnabled ? ['https://telegram.org', 'https://oauth.telegram.org'] : []),
  ]
  return [
    "default-src 'self'",
    // Scripts of the operator's custom head are allowed by hash or URL.
    ["script-src 'self'", ...widgets, ...headScripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    // Songs and videos are hosted by providers. A blob is a video that only an API token can fetch.
    "media-src 'self' blob: https:",
    "font-src 'self' data:",
    // An injected script cannot send data anywhere.
    ["connect-src 'self'", ...ourselves, ...widgets, ...ownScripts].join(' '),
    // The service worker that shows push notifications.
    "worker-src 'self'",
    // Chat links may point to the operator's network.
    'frame-src https: http:',
    "frame-ancestors 'self'",
    "base-uri 'self'",
    ["form-action 'self' https:", ...gateway].join(' '),
    "object-src 'none'",
  ].join('; ')
}

function originOf(address: string, protocols: RegExp): string[] {
  const url = URL.parse(address)
  return url && protocols.test(url.protocol) ? [url.origin] : []
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
const SOURCE = /(?:^|\s)src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/**
 * CSP sources for the scripts in a piece of HTML: inline scripts by hash, others by https URL. Scripts that these
 * patterns do not recognize are not allowed.
 */
export function headScripts(html: string): string[] {
  const sources = [...html.matchAll(SCRIPT)].map(([, attributes = '', text = '']) => {
    const source = SOURCE.exec(attributes)
    return source ? addressSource(source[1] ?? source[2] ?? source[3] ?? '') : hashSource(text)
  })
  return [...new Set(sources.filter((source) => source !== undefined))]
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** CSP reserves `;` and `,` as separators, and does not match queries. */
function addressSource(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return undefined
  return (url.origin + url.pathname).replaceAll(';', '%3B').replaceAll(',', '%2C')
}
