import { createHash } from 'node:crypto'
import type { Settings } from '@tidegate/contract'

const ALWAYS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** For every response of the control plane and the console. Only files of the console may be embedded elsewhere. */
export function securityHeaders({ isSecure, isApi }: { isSecure: boolean; isApi: boolean }): Record<string, string> {
  return {
    ...ALWAYS,
    ...(isApi && { 'Cross-Origin-Resource-Policy': 'same-origin' }),
    ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/** For pages: other sites get no handle of their windows. Popups of sign-in and payment services keep theirs. */
export const PAGE_HEADERS: Record<string, string> = {
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * For pages. Scripts come from us alone; the sign-in and human-check widgets are allowed only while they are in use.
 * Styles may be inline: the component kit sets them on elements.
 */
export function contentSecurityPolicy(
  settings: Pick<
    Settings,
    'TurnstileCheckEnabled' | 'TelegramOAuthEnabled' | 'PayAddress' | 'ServerAddress' | 'global_js'
  >,
  headScripts: readonly string[] = [],
): string {
  // Orders are forms that go to the payment gateway; one without TLS is in a network of the operator's own.
  const gateway = originOf(settings.PayAddress, /^http:$/)
  // A token is tried with a call to the address its owner would use.
  const ourselves = originOf(settings.ServerAddress, /^https?:$/)
  // Scripts of the operator, such as analytics, report to hosts that are not known here.
  const ownScripts = headScripts.length > 0 || settings.global_js.trim() !== '' ? ['https:'] : []
  const widgets = [
    ...(settings.TurnstileCheckEnabled ? ['https://challenges.cloudflare.com'] : []),
    ...(settings.TelegramOAuthEnabled ? ['https://telegram.org', 'https://oauth.telegram.org'] : []),
  ]
  return [
    "default-src 'self'",
    // Of the operator's own head only the very scripts that are in it, by their hash or their address.
    ["script-src 'self'", ...widgets, ...headScripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    // Songs and videos are where their vendors keep them.
    "media-src 'self' https:",
    "font-src 'self' data:",
    // An injected script has nowhere to send what it reads.
    ["connect-src 'self'", ...ourselves, ...widgets, ...ownScripts].join(' '),
    // The saved chats, which may well be on a network of the operator's own.
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
 * What the policy must name for the scripts of a piece of HTML to run: inline ones by their hash, others by their exact
 * https address. What is written too cleverly for these patterns is not named, and so does not run.
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

/** The policy is a list with separators of its own, and knows no queries. */
function addressSource(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return undefined
  return (url.origin + url.pathname).replaceAll(';', '%3B').replaceAll(',', '%2C')
}
