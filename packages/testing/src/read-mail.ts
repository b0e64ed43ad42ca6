/** A mail as its reader sees it. */
export interface ReceivedMail {
  /** Who it was delivered to, which is not what its header says. */
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Reads what our own mails are made of: a subject in any language, and a text beside its HTML. */
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

/** The words of RFC 2047, which is how a header carries other signs than ASCII. */
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
