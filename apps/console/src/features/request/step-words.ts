import type { RequestStep } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'

const FAILURES = ['connect', 'timeout', 'reset', 'status', 'answer', 'aborted'] as const

/** Where an attempt went and how it ended, for those who may know; blank for any other step. */
export function attemptWords(step: RequestStep, t: TFunction<'request'>): string {
  const { channel, channel_name: name, dialect, status } = step
  if (step.kind !== 'attempt' || channel === undefined) return ''
  return [channelWords(channel, name ?? ''), dialect ?? '', status === undefined ? '' : t('attempt.status', { status })]
    .filter((word) => word !== '')
    .join(' · ')
}

/** A failure is recorded as its kind and the vendor's words: `status: You are out of credit`. */
export function reasonWords(reason: string, t: TFunction<'request'>): string {
  const [written = '', ...rest] = reason.split(': ')
  const kind = FAILURES.find((known) => known === written)
  if (!kind) return reason
  const words = rest.join(': ')
  return words === '' ? t(`failures.${kind}`) : `${t(`failures.${kind}`)} — ${words}`
}

/** The name is blank when the channel is gone. */
export const channelWords = (id: number, name: string): string => (name ? `#${id} ${name}` : `#${id}`)
