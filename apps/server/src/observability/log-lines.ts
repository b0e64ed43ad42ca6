import { styleText } from 'node:util'

/** `auto` writes readable lines to a terminal and JSON to everything else. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

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

/** One JSON line of the log as a line for a person: local time, level, message, then the fields. */
export function readableLine(json: string, color = false): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Entry
  const [name, shade] = LEVELS[level] ?? [String(level)]
  const label = name.padEnd(5)
  const details = Object.entries(fields).map(([field, value]) => `${field}=${plain(value)}`)
  const line = [localTime(time), color && shade ? paint(shade, label) : label, escapeControls(msg), ...details].join(
    ' ',
  )
  const stack = err?.stack ?? err?.message
  if (stack === undefined) return `${line}\n`
  return `${line}\n${stack
    .split('\n')
    .map((text) => `    ${escapeControls(text)}\n`)
    .join('')}`
}

/** Texts of others may hold sequences that a terminal obeys. */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function paint(shade: 'red' | 'yellow' | 'dim', text: string): string {
  return styleText(shade, text, { validateStream: false })
}

function plain(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return escapeControls(text)
}

function localTime(iso: string): string {
  const date = new Date(iso)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
