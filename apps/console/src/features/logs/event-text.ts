import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'
import { dollars, formatCallPrice } from '../../lib/format.ts'
import { fieldsOf, flagIn, numberIn, textIn, type Fields } from '../../components/receipt/fields.ts'
import { decimal } from '../../components/receipt/formula.ts'

/** Events that change a balance. */
const BALANCE_EVENTS = [
  'redemption_code',
  'gift_code',
  'top_up',
  'balance_changed',
  'signup_gift',
  'invite_gift',
  'invite_reward',
  'invite_transfer',
  'rebate_received',
  'rebate_produced',
  'task_refund',
  'check_in',
  'top_up_refund',
  'top_up_dispute',
  'top_up_failed',
  'top_up_returned',
  'rebate_reversal',
  'rebate_returned',
] as const

/** Events of an account that do not change its balance. */
const ACCOUNT_EVENTS = [
  'user_created',
  'user_updated',
  'user_renamed',
  'user_deregistered',
  'user_promote',
  'user_demote',
  'user_disable',
  'user_enable',
  'user_delete',
  'user_restore',
  'user_reset_security',
  'message_create',
  'message_update',
  'message_delete',
  'service_bound',
  'service_unbound',
  'passkey_added',
  'passkey_removed',
  'totp_on',
  'totp_off',
  'recovery_codes',
] as const

/** The text of a row in the language of the page, or the stored text if the event is unknown. */
export function rowText(log: UsageLog, t: TFunction<'logs'>): string {
  const fields = fieldsOf(log)
  if (log.type === LOG_TYPE.consumption) return priceText(fields, t) || log.content
  if (log.type === LOG_TYPE.error) return errorText(log, fields)
  return eventSentence(log, t) || log.content
}

/** The text of an account or balance event; blank for an unknown event. */
export function eventSentence(log: UsageLog, t: TFunction<'logs'>): string {
  const fields = fieldsOf(log)
  const ofAccount = ACCOUNT_EVENTS.find((name) => name === fields.event)
  if (ofAccount) {
    const [before, after, service] = ['before', 'after', 'service'].map((name) => textIn(fields, name))
    return t(`accountEvents.${ofAccount}`, { before, after, service, detail: detailOf(log.content) })
  }
  const event = BALANCE_EVENTS.find((name) => name === fields.event)
  const amount = numberIn(fields, 'amount')
  if (!event || amount === null) return ''
  const source = textIn(fields, 'source')
  return t(`events.${event}`, {
    amount: formatCallPrice(amount),
    difference: `${amount > 0 ? '+' : ''}${formatCallPrice(amount)}`,
    before: formatCallPrice(numberIn(fields, 'before') ?? 0),
    after: formatCallPrice(numberIn(fields, 'after') ?? 0),
    money: textIn(fields, 'money'),
    code: textIn(fields, 'redemption_id'),
    percentage: decimal(numberIn(fields, 'percentage') ?? 0),
    source: source === 'redemption' || source === 'top_up' ? t(`values.source.${source}`) : source,
    task: textIn(fields, 'task'),
  })
}

/** The stored text ends with the title or name, after a colon. */
const detailOf = (content: string): string => /: (.*)$/s.exec(content)?.[1] ?? ''

/** The factors of the price, and remarks about the request. */
function priceText(fields: Fields, t: TFunction<'logs'>): string {
  const ratio = (name: string) => decimal(numberIn(fields, name) ?? 1)
  const group = numberIn(fields, 'user_group_ratio') ?? numberIn(fields, 'group_ratio')
  if (group === null) return ''
  const price = numberIn(fields, 'model_price')
  const factors =
    price !== null && price >= 0
      ? [t('short.price', { price: dollars(price, 2, 6) })]
      : [t('short.model', { ratio: ratio('model_ratio') }), t('short.completion', { ratio: ratio('completion_ratio') })]
  const notes = (['interrupted', 'estimated'] as const).filter((name) => flagIn(fields, name))
  const uncovered = (numberIn(fields, 'uncovered') ?? 0) > 0
  return [
    ...notes.map((name) => t(`short.${name}`)),
    ...(uncovered ? [t('short.uncovered')] : []),
    ...factors,
    t('short.group', { ratio: decimal(group) }),
  ].join(' · ')
}

function errorText(log: UsageLog, fields: Fields): string {
  const codes = [textIn(fields, 'status_code'), textIn(fields, 'error_code')].filter((code) => code !== '')
  return [...codes, log.content].join(' · ')
}
