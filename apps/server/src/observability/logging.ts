import { pino, type Logger } from 'pino'
import { isReadable, readableLine, type LogFormat } from './log-lines.ts'

export type { Logger }

interface LoggerOptions {
  format?: LogFormat | undefined
  /** Standard output by default. */
  destination?: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Logs to standard output, as JSON or as lines for a person. Every line passes the same redaction. */
export function createLogger(level: string, { format = 'auto', destination }: LoggerOptions = {}): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS, censor: '[redacted]' },
    hooks: { streamWrite: redactText },
  }
  const output = destination ?? process.stdout
  if (isReadable(format, output)) {
    const color = output.isTTY === true && process.stdout.hasColors?.()
    return pino(options, { write: (line) => void output.write(readableLine(line, color)) })
  }
  return destination ? pino(options, destination) : pino(options)
}

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'key',
  'secret',
  'token',
  '"set-cookie"',
  '"x-api-key"',
  '"x-goog-api-key"',
].flatMap((name) =>
  name.startsWith('"') ? [`[${name}]`, `*[${name}]`, `*.*[${name}]`] : [name, `*.${name}`, `*.*.${name}`],
)

/**
 * Tokens of this product and keys of providers, by their prefixes. The line is JSON: a line break before a key is written as
 * `\\n`, whose letter hides the beginning of the word.
 */
const KEYS = /(?:\b|(?<=\\[bfnrt]))(sk-|AIza|gsk_|xai-|ghp_|tg[ca]?_)[\w-]{8,}/g
/** AWS access key ids, long-lived and temporary. */
const AWS_KEY_IDS = /(?:\b|(?<=\\[bfnrt]))(A[KS]IA)[A-Z0-9]{12,}/g

/** Secrets that reach a line inside a text: in the message of an error, a URL, a header that was quoted. */
export function redactText(line: string): string {
  return line
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(KEYS, '$1[redacted]')
    .replace(AWS_KEY_IDS, '$1[redacted]')
    .replace(/([?&](?:key|token|access_token|code|secret|password)=)[^&\s"\\]+/gi, '$1[redacted]')
    .replace(/(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+@/gi, '$1[redacted]@')
}
