import type { TFunction } from 'i18next'
import { formatBalance, formatCount } from '../../lib/format.ts'
import { areaOf } from './actions.ts'

/** Longer texts, such as a page of the site, are shown by their beginning. */
const MAX_LENGTH = 2000

/** Names that stand for quota, and what `user.balance` notes beside its change. */
const MONEY = new Set(['quota', 'asked', 'seen'])

type Words = TFunction<'audit'>

/** A value of an event as people read it. `name` is blank where the subject itself is the value. */
export function valueWords(
  t: Words,
  { action, name, value }: { action: string; name: string; value: unknown },
): string {
  if (value === null) return '–'
  if (typeof value === 'number') return numberWords(t, action, name, value)
  if (typeof value === 'string') return value === '' ? t('blank') : shortened(t, value)
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return shortened(t, value.join(', '))
  return shortened(t, JSON.stringify(value, null, 2))
}

function numberWords(t: Words, action: string, name: string, value: number): string {
  const isBalance = action === 'user.balance' && name === ''
  if (name === 'amount') return `${value > 0 ? '+' : ''}${formatBalance(value)} (${formatCount(value)})`
  if (isBalance || MONEY.has(name)) return `${formatBalance(value)} (${formatCount(value)})`
  const area = areaOf(action)
  if (area === 'user' && name === 'role')
    return known(value, { 1: t('roles.user'), 10: t('roles.admin'), 100: t('roles.root') })
  if (area === 'user' && name === 'status')
    return known(value, { 1: t('userStatus.active'), 2: t('userStatus.banned') })
  if (area === 'channel' && name === 'status') {
    return known(value, {
      1: t('channelStatus.enabled'),
      2: t('channelStatus.disabled'),
      3: t('channelStatus.autoDisabled'),
    })
  }
  return String(value)
}

const known = (value: number, words: Readonly<Record<number, string>>): string => words[value] ?? String(value)

function shortened(t: Words, text: string): string {
  if (text.length <= MAX_LENGTH) return text
  return `${text.slice(0, MAX_LENGTH)}… ${t('longText', { count: text.length })}`
}
