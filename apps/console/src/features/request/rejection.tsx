import type { UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { fieldsOf, numberIn, record, textIn } from '../../lib/receipt/fields.ts'
import { useAmount } from '../../lib/receipt/receipt-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import styles from './request.module.css'

const HINTS = [
  'model_not_found',
  'no_channel',
  'model_not_in_group',
  'model_endpoint_unsupported',
  'model_price_error',
] as const

/** Why no channel was asked. Administrators also see what to do about it, and what the client sent. */
export function Rejection({ row }: { row: UsageLog }) {
  const { t } = useTranslation('request')
  const amount = useAmount()
  const fields = fieldsOf(row)
  const admin = record(fields.admin_info)
  const needed = numberIn(record(admin.details), 'needed')
  const notRecorded = numberIn(fields, 'not_recorded') ?? 0
  const hint = HINTS.find((code) => code === textIn(fields, 'error_code'))
  const facts = [
    { term: t('errors.status'), value: textIn(fields, 'status_code') },
    { term: t('errors.code'), value: textIn(fields, 'error_code') },
    { term: t('rejection.request'), value: `${textIn(admin, 'method')} ${textIn(admin, 'path')}`.trim() },
    { term: t('rejection.client'), value: textIn(admin, 'client') },
    { term: t('rejection.needed'), value: needed === null ? '' : amount(needed) },
  ]
  return (
    <section className={styles.panel} aria-labelledby="request-rejection">
      <h2 id="request-rejection">{t('rejection.title')}</h2>
      <p className={styles.message}>{row.content}</p>
      {hint && Object.keys(admin).length > 0 && <p className={styles.message}>{t(`rejection.hints.${hint}`)}</p>}
      <Facts facts={facts.filter(({ value }) => value !== '')} />
      {notRecorded > 0 && (
        <p className="secondary">{t('rejection.notRecorded', { count: formatCount(notRecorded) })}</p>
      )}
    </section>
  )
}
