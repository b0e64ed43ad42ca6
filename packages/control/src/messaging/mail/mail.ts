import { type Language, logEvent, type Settings, type Log } from '@tidegate/contract'
import { resolveEgress } from '@tidegate/providers'

import { createTransport, type SendMailOptions } from 'nodemailer'
import type { DeliveryAttempt } from '../outbox/delivery-result.ts'

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

/** Whether a mail server and a sender address are configured. */
export function canMail(settings: MailSettings): boolean {
  return settings.SMTPServer !== '' && senderOf(settings).includes('@')
}

interface MailAttempt extends DeliveryAttempt {
  /** The error of the mail server or of the connection to it. */
  cause?: unknown
}

/** Sends one mail once. Every mail of the site goes through here, so all failures are logged the same way. */
export async function attemptMail(
  settings: MailSettings,
  mail: Mail,
  { log, ...fields }: { log: Log; tries: number } & Record<string, unknown>,
): Promise<MailAttempt> {
  if (!canMail(settings)) return { error: 'mail_not_configured', isFinal: true }
  try {
    await sendMail(settings, mail)
    return { error: '' }
  } catch (cause) {
    logEvent(log, 'delivery.mail_attempt_failed', { err: cause, subject: mail.subject, ...fields })
    const isFinal = isPermanentRejection(cause)
    return { error: isFinal ? 'mail_refused' : 'mail_failed', isFinal, cause }
  }
}

async function sendMail(settings: MailSettings, mail: Mail): Promise<void> {
  const transport = createTransport(connectionOf(settings, await resolveEgress(settings.SMTPServer)))
  try {
    await transport.sendMail(messageOf(settings, mail))
  } finally {
    transport.close()
  }
}

/** A permanent rejection; retrying would harm our reputation. */
function isPermanentRejection(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number }
  return responseCode !== undefined && responseCode >= 500
}

/** Connects to `address`: the server, or its resolved address when the egress list requires one. */
function connectionOf(settings: MailSettings, address: string) {
  const { SMTPServer: host, SMTPPort: port, SMTPAccount: user, SMTPToken: pass } = settings
  const hasCredentials = user !== '' && pass !== ''
  return {
    host: address,
    ...(address !== host && { tls: { servername: host } }),
    port,
    secure: port === 465 || settings.SMTPSSLEnabled,
    // Passwords require TLS except on this machine, even if TLS is stripped from the server's offer.
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
    to: { name: '', address: to }, // as an object, it is never split into several addresses
    subject,
    text,
    html,
    textEncoding: 'base64', // quoted-printable triples the size of Chinese text
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function senderOf({ SMTPFrom, SMTPAccount }: MailSettings): string {
  return SMTPFrom || SMTPAccount
}

/** These servers reject AUTH PLAIN. */
function isOutlook({ SMTPServer, SMTPAccount }: MailSettings): boolean {
  return /outlook|office365|hotmail|onmicrosoft/i.test(`${SMTPServer} ${SMTPAccount}`)
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i

interface MailParts {
  to: string
  subject: string
  /** One string per paragraph. */
  paragraphs: readonly string[]
  /** Shown after the first paragraph: a code or a link. */
  code?: string
  link?: string
  /** Shown at the end of the mail. */
  systemName: string
  language: Language
}

/** Builds a mail as text and HTML. All values are escaped. */
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
