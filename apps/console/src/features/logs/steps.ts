import type { RequestStep } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'

const FAILURES = ['connect', 'timeout', 'reset', 'status', 'answer', 'aborted'] as const

/** Protocol and status of an attempt, for administrators; blank for other steps. */
export function attemptText(step: RequestStep, t: TFunction<'request'>): string {
  const { channel, dialect, status } = step
  if (step.kind !== 'attempt' || channel === undefined) return ''
  return [dialect ?? '', status === undefined ? '' : t('attempt.status', { status })].filter(Boolean).join(' · ')
}

/**
 * A failure is recorded as its kind and the message of the provider: `status: You are out of credit`. A message that is
 * shown elsewhere is left out.
 */
export function reasonText(reason: string, t: TFunction<'request'>, isShown?: (message: string) => boolean): string {
  const [written = '', ...rest] = reason.split(': ')
  const kind = FAILURES.find((known) => known === written)
  if (!kind) return reason
  const message = rest.join(': ')
  return message === '' || isShown?.(message) ? t(`failures.${kind}`) : `${t(`failures.${kind}`)} — ${message}`
}

/** The name is blank if the channel was deleted. */
export const channelText = (id: number, name: string): string => (name ? `#${id} ${name}` : `#${id}`)

/** Milliseconds from the first step to the end of the last. */
export function totalOf(steps: readonly RequestStep[]): number {
  return Math.max(0, ...steps.map(({ started, took }) => started + took))
}

/** Round times to mark on an axis: four or five of them, the last not beyond the end. */
export function ticksOf(total: number): number[] {
  if (total <= 0) return [0]
  const rough = total / 4
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * size).find((candidate) => candidate >= rough) ?? total
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, place) => Number((place * step).toFixed(6)))
}

/** `0.4 ms`, `320 ms`, `2.35 s`, `1 min 40 s`: with a precision that suits the unit. */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < 10) return `${Number(milliseconds.toFixed(1))} ms`
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 100_000) return `${(milliseconds / 1000).toFixed(2)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
