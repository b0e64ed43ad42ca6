import { styleText } from 'node:util'
import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

interface LoggerOptions {
  format?: LogFormat | undefined
  /** Standard output by default. */
  destination?: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Logs to standard output, as JSON or as readable lines. Every line is redacted. */
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
 * Tokens of this product and keys of providers, by prefix. Lines are JSON: a line break before a key is the escape
 * `\\n`, and its `n` hides the word boundary.
 */
const KEYS = /(?:\b|(?<=\\[bfnrt]))(sk-|AIza|gsk_|xai-|ghp_|tg[ca]?_)[\w-]{8,}/g
/** AWS access key ids, long-lived and temporary. */
const AWS_KEY_IDS = /(?:\b|(?<=\\[bfnrt]))(A[KS]IA)[A-Z0-9]{12,}/g

/** Redacts secrets inside texts: error messages, URLs, quoted headers. */
function redactText(line: string): string {
  return line
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(KEYS, '$1[redacted]')
    .replace(AWS_KEY_IDS, '$1[redacted]')
    .replace(/([?&](?:key|token|access_token|code|secret|password)=)[^&\s"\\]+/gi, '$1[redacted]')
    .replace(/(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+@/gi, '$1[redacted]@')
}

/** `auto` writes readable lines to a terminal and JSON to everything else. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

export function isReadable(format: LogFormat, output: { isTTY?: boolean }): boolean {
  return format === 'auto' ? output.isTTY === true : format === 'pretty'
}

const LEVELS: Record<number, readonly [name: string, color?: 'red' | 'yellow' | 'dim']> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'dim'],
  30: ['INFO'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
}

interface Entry {
  level: number
  time: string
  msg?: string
  err?: { stack?: string; message?: string }
  [field: string]: unknown
}

/** Formats a JSON log line as a readable line: local time, level, message, fields. */
function readableLine(json: string, color = false): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Entry
  const [name, shade] = LEVELS[level] ?? [String(level)]
  const label = name.padEnd(5)
  const details = Object.entries(fields).map(([field, value]) => `${field}=${formatValue(value)}`)
  const line = [localTime(time), color && shade ? colorize(shade, label) : label, escapeControls(msg), ...details].join(
    ' ',
  )
  const stack = err?.stack ?? err?.message
  if (stack === undefined) return `${line}\n`
  return `${line}\n${stack
    .split('\n')
    .map((text) => `    ${escapeControls(text)}\n`)
    .join('')}`
}

/** Foreign texts may contain terminal escape sequences. */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function colorize(shade: 'red' | 'yellow' | 'dim', text: string): string {
  return styleText(shade, text, { validateStream: false })
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return escapeControls(text)
}

function localTime(iso: string): string {
  const date = new Date(iso)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
