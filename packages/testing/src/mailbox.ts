import { EventEmitter, on } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface MailboxOptions {
  /** Required account; by default no login is needed. */
  account?: { user: string; pass: string }
  /** Offers STARTTLS with a self-signed certificate. */
  offersTls?: boolean
  /** Reply codes that reject the next mails. */
  rejections?: number[]
}

export interface Mailbox {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Logins of clients, in order. */
  readonly logins: readonly { method: string; user: string | undefined }[]
  /** Number of delivery attempts, including rejected ones. */
  readonly attempts: () => number
  /** Waits for a mail to an address, after the first `skip` ones. */
  mailTo(address: string, skip?: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A real SMTP server that stores mails. */
export async function startMailbox({
  account,
  offersTls = false,
  rejections = [],
}: MailboxOptions = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const logins: { method: string; user: string | undefined }[] = []
  const arrived = new EventEmitter()
  let attempts = 0

  const server = new SMTPServer({
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    logger: false,
    onAuth({ method, username, password }, _session, done) {
      logins.push({ method, user: username })
      const isRight = username === account?.user && password === account?.pass
      if (isRight) done(null, { user: username })
      else done(new Error('wrong account'))
    },
    onData(stream, session, done) {
      attempts += 1
      const rejection = rejections.shift()
      buffer(stream)
        .then((raw) => {
          if (rejection !== undefined) return done(Object.assign(new Error('not now'), { responseCode: rejection }))
          mails.push(
            readMail(
              raw.toString('latin1'),
              session.envelope.rcptTo.map(({ address }) => address),
            ),
          )
          arrived.emit('mail')
          done()
        })
        .catch(done)
    },
  })
  server.on('error', () => {}) // a client disconnected during the handshake; tests check the client's error
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    attempts: () => attempts,
    async mailTo(address, skip = 0) {
      const found = () => mails.filter(({ to }) => to.includes(address))[skip]
      const signal = AbortSignal.timeout(10_000)
      const already = found()
      if (already) return already
      for await (const _ of on(arrived, 'mail', { signal })) {
        const mail = found()
        if (mail) return mail
      }
      throw new Error(`no mail to ${address}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** A decoded mail. */
export interface ReceivedMail {
  /** Recipients of the envelope, not of the header. */
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Parses our mails: an encoded subject, a text part and an HTML part. */
export function readMail(raw: string, to: readonly string[]): ReceivedMail {
  const { headers, body } = splitHead(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => splitHead(part.trimStart()))
  const partOf = (type: string) => {
    const part = parts.find((candidate) => candidate.headers['content-type']?.startsWith(type))
    return part === undefined ? '' : decodeBody(part.body, part.headers['content-transfer-encoding'])
  }
  return {
    to,
    headers,
    subject: decodeWords(headers['subject'] ?? ''),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  }
}

function splitHead(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ') // long lines are folded
  const headers = Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { headers, body: raw.slice(end + 4) }
}

/** Decodes encoded words of RFC 2047 in headers. */
function decodeWords(text: string): string {
  return text
    .replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?[^?]+\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString('utf8')
      return decodeQuoted(word.replaceAll('_', ' '))
    })
}

function decodeBody(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replace(/=\r\n/g, ''))
  return body.trimEnd()
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
