import type { UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { FieldList } from '../../lib/receipt/field-list.tsx'
import { fieldsOf, record, textIn } from '../../lib/receipt/fields.ts'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './request.module.css'
import { channelWords } from './step-words.ts'

/** Attempts that failed, as the log kept them. */
export function FailedAttempts({ rows }: { rows: readonly UsageLog[] }) {
  const { t } = useTranslation('request')
  return (
    <section className={styles.panel} aria-labelledby="request-errors">
      <h2 id="request-errors">{t('errors.title')}</h2>
      <ol className={styles.failures}>
        {rows.map((row) => (
          <li key={`${row.id}/${row.created_at}`}>
            <FailedAttempt row={row} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function FailedAttempt({ row }: { row: UsageLog }) {
  const { t } = useTranslation('request')
  const fields = fieldsOf(row)
  const facts = [
    { term: t('errors.time'), value: <Time unixSeconds={row.created_at} exact /> },
    { term: t('errors.channel'), value: row.channel > 0 ? channelWords(row.channel, row.channel_name) : '' },
    { term: t('errors.status'), value: textIn(fields, 'status_code') },
    { term: t('errors.code'), value: textIn(fields, 'error_code') },
  ]
  return (
    <>
      <p className={styles.message}>{textIn(record(fields.admin_info), 'message') || row.content}</p>
      <Facts facts={facts.filter(({ value }) => value !== '')} />
      <FieldList fields={fields} />
    </>
  )
}
