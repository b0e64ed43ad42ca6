import type { Language, Settings } from '@tidegate/contract'
import { resolveEgress } from '@tidegate/providers'
import { createTransport, type SendMailOptions } from 'nodemailer'

export type MailSettings = Pick<
  Settings,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled' | 'SystemName'
>

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** Whether there is a server to send through and an address to send from. */
export function canMail(settings: MailSettings): boolean {
  return settings.SMTPServer !== '' && senderOf(settings).includes('@')
}

/** Hands one mail to the configured server; throws when that does not take it. */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<void> {
  const transport = createTransport(connectionOf(settings, await resolveEgress(settings.SMTPServer)))
  try {
    await transport.sendMail(messageOf(settings, mail))
  } finally {
    transport.close()
  }
}

/** The server has said no for good; asking again would only make it trust us less. */
export function isPermanentRejection(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number }
  return responseCode !== undefined && responseCode >= 500
}

/** Dials `address`, which is the server or, where only that is allowed, one of its addresses. */
function connectionOf(settings: MailSettings, address: string) {
  const { SMTPServer: host, SMTPPort: port, SMTPAccount: user, SMTPToken: pass } = settings
  const hasCredentials = user !== '' && pass !== ''
  return {
    host: address,
    ...(address !== host && { tls: { servername: host } }),
    port,
    secure: port === 465 || settings.SMTPSSLEnabled,
    // Elsewhere than on this machine a password never travels in the clear, even if somebody hides the offer of TLS.
    requireTLS: hasCredentials && !LOOPBACK.test(host),
    ...(hasCredentials && { auth: { user, pass }, authMethod: isOutlook(settings) ? 'LOGIN' : 'PLAIN' }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function messageOf(settings: MailSettings, { to, subject, text, html }: Mail): SendMailOptions {
  return {
    from: { name: settings.SystemName, address: senderOf(settings) },
    to: { name: '', address: to }, // as a pair it is never split into several
    subject,
    text,
    html,
    textEncoding: 'base64', // quoted-printable makes Chinese three times as long
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function senderOf({ SMTPFrom, SMTPAccount }: MailSettings): string {
  return SMTPFrom || SMTPAccount
}

/** Servers of this family refuse AUTH PLAIN. */
function isOutlook({ SMTPServer, SMTPAccount }: MailSettings): boolean {
  return /outlook|office365|hotmail|onmicrosoft/i.test(`${SMTPServer} ${SMTPAccount}`)
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i

interface MailParts {
  to: string
  subject: string
  /** What a mail says, a paragraph each. */
  paragraphs: readonly string[]
  /** Stands out after the first paragraph: a code, or an address to open. */
  code?: string
  link?: string
  /** Named under the mail. */
  systemName: string
  language: Language
}

/** The same mail as text and as HTML. Nothing of it is taken as markup, whoever chose the name of the site. */
export function composeMail({ to, subject, paragraphs, code, link, systemName, language }: MailParts): Mail {
  const [first = '', ...rest] = paragraphs
  const feature = code ?? link
  const text = [first, ...(feature === undefined ? [] : [feature]), ...rest, systemName].join('\n\n')
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.6;color:#1f2328;max-width:36em">',
    paragraph(first),
    ...(code === undefined ? [] : [`<p style="${CODE_STYLE}">${escapeHtml(code)}</p>`]),
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`]),
    ...rest.map(paragraph),
    `<p style="color:#6e7781">${escapeHtml(systemName)}</p>`,
    '</body></html>',
  ].join('\n')
  return { to, subject, text, html }
}

const CODE_STYLE = 'font-size:1.6em;font-weight:600;letter-spacing:0.2em'

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
