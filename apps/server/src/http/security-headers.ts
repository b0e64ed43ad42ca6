import type { Settings } from '@tidegate/contract'

const ALWAYS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** For every answer of the control plane and the console. */
export function securityHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  return isSecure ? { ...ALWAYS, 'Strict-Transport-Security': 'max-age=31536000' } : ALWAYS
}

/**
 * For pages. Scripts come from us alone; the sign-in and human-check widgets are allowed only while they are in use.
 * Styles may be inline: the component kit sets them on elements.
 */
export function contentSecurityPolicy(
  settings: Pick<Settings, 'TurnstileCheckEnabled' | 'TelegramOAuthEnabled' | 'PayAddress' | 'ServerAddress'>,
  headScripts: readonly string[] = [],
): string {
  // Orders are forms that go to the payment gateway; one without TLS is in a network of the operator's own.
  const gateway = originWithoutTls(settings.PayAddress)
  // A token is tried with a call to the address its owner would use.
  const ourselves = originWithoutTls(settings.ServerAddress)
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
    ["connect-src 'self' https:", ...ourselves].join(' '),
    // The saved chats, which may well be on a network of the operator's own.
    'frame-src https: http:',
    "frame-ancestors 'self'",
    "base-uri 'self'",
    ["form-action 'self' https:", ...gateway].join(' '),
    "object-src 'none'",
  ].join('; ')
}

function originWithoutTls(address: string): string[] {
  const url = URL.parse(address)
  return url?.protocol === 'http:' ? [url.origin] : []
}
