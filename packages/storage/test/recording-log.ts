import type { Log } from '@tidegate/contract'

export interface LogLine {
  level: 'info' | 'warn' | 'error'
  details: object
  message: string
}

/** A log whose lines a test can read. */
export function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: LogLine['level']) => (details: object, message: string) => {
    lines.push({ level, details, message })
  }
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, lines }
}
