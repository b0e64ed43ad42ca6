import type { Tone } from '../../ui/feedback/status-tag.tsx'

/** Split as it is said: seconds alone while there are few of them, else minutes and seconds. */
export function splitDuration(milliseconds: number): { minutes: number; seconds: string } {
  const whole = Math.round(Math.max(milliseconds, 0) / 1000)
  if (whole < 60) return { minutes: 0, seconds: milliseconds < 9950 ? tenths(milliseconds) : String(whole) }
  return { minutes: Math.floor(whole / 60), seconds: String(whole % 60) }
}

/** Calls of the log are slow or very slow from the same times on. */
export function durationTone(milliseconds: number): Extract<Tone, 'good' | 'warn' | 'bad'> {
  if (milliseconds < 101_000) return 'good'
  return milliseconds < 300_000 ? 'warn' : 'bad'
}

function tenths(milliseconds: number): string {
  return (Math.max(milliseconds, 0) / 1000).toFixed(1)
}
