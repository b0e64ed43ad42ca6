import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { FieldList } from '../../../lib/receipt/field-list.tsx'
import { channelsIn, fieldsOf, record, textIn, upstreamModelIn } from '../../../lib/receipt/fields.ts'
import { receiptOf } from '../../../lib/receipt/receipt.ts'
import { ReceiptTable } from '../../../lib/receipt/receipt-table.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { eventSentence } from '../event-words.ts'
import styles from './details.module.css'
import { ChatContent } from './chat-content.tsx'

interface Props {
  log: UsageLog
  wholeSite: boolean
  /** Under a card, which says some of it already. */
  onCard?: boolean
}

/** All that a row knows beside its columns: its words, its circumstances, its bill, and what was said. */
export function LogDetails({ log, wholeSite, onCard = false }: Props) {
  const { t } = useTranslation('logs')
  const fields = fieldsOf(log)
  const receipt = log.type === LOG_TYPE.consumption ? receiptOf(log) : null
  const words = eventSentence(fields, t) || (receipt ? '' : log.content)
  return (
    <div className={styles.expansion}>
      <div className={styles.circumstances}>
        {log.request_id && <RequestId log={log} />}
        {words && <p className={styles.content}>{words}</p>}
        <Circumstances log={log} wholeSite={wholeSite} onCard={onCard} />
        <FieldList fields={fields} />
      </div>
      {receipt && <ReceiptTable receipt={receipt} />}
      <ChatContent fields={fields} />
    </div>
  )
}

/** The few facts that are wanted most; whatever has no value is left out. */
function Circumstances({ log, wholeSite, onCard = false }: Props) {
  const { t } = useTranslation('logs')
  const fields = fieldsOf(log)
  const admin = record(fields.admin_info)
  const facts = [
    { term: t('columns.token'), value: onCard ? '' : log.token_name },
    { term: t('columns.group'), value: log.group },
    { term: t('columns.channel'), value: onCard || !wholeSite ? '' : channelName(log) },
    { term: t('columns.retry'), value: channelsIn(fields).length > 1 ? channelsIn(fields).join(' → ') : '' },
    { term: t('details.upstreamModel'), value: onCard ? '' : upstreamModelIn(fields) },
    { term: t('fields.reasoning_effort'), value: textIn(fields, 'reasoning_effort') },
    { term: t('details.clientIp'), value: log.client_ip },
    { term: t('fields.status_code'), value: textIn(fields, 'status_code') },
    { term: t('fields.error_code'), value: textIn(fields, 'error_code') },
    { term: t('fields.message'), value: textIn(admin, 'message') === log.content ? '' : textIn(admin, 'message') },
  ]
  return <Facts facts={facts.filter(({ value }) => value !== '')} />
}

const channelName = ({ channel, channel_name: name }: UsageLog) => (channel > 0 ? `#${channel} ${name}` : '')

function RequestId({ log: { request_id: id, type } }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const { search: list } = useLocation()
  const hasPage = type === LOG_TYPE.consumption || type === LOG_TYPE.error
  return (
    <p className={styles.requestId}>
      <span className="secondary">{t('details.requestId')}</span> <code className="mono">{id}</code>
      <CopyButton text={id} label={t('details.copyRequestId')} />
      {hasPage && (
        <Link to={`/app/logs/request/${encodeURIComponent(id)}`} state={{ list }}>
          {t('details.openRequest')}
        </Link>
      )}
    </p>
  )
}
