import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { readDetails, type LogDetails } from './log-details.ts'
import { LogReceipt } from './log-receipt.tsx'
import styles from './logs.module.css'
import { receiptOf } from './receipt.ts'

/** All that a row knows beside its columns: its words, its circumstances, and its bill. */
export function LogExpansion({ log }: { log: UsageLog }) {
  const details = readDetails(log)
  const receipt = log.type === LOG_TYPE.consumption ? receiptOf(log, details) : null
  return (
    <div className={styles.expansion}>
      <div>
        {log.content && <p className={styles.content}>{log.content}</p>}
        <Circumstances log={log} details={details} />
      </div>
      {receipt && <LogReceipt receipt={receipt} quota={log.quota} />}
    </div>
  )
}

function Circumstances({ log, details }: { log: UsageLog; details: LogDetails }) {
  const { t } = useTranslation('logs')
  const facts = [
    { term: t('details.requestId'), value: log.request_id && <RequestId id={log.request_id} /> },
    { term: t('details.upstreamModel'), value: details.upstreamModel },
    { term: t('details.reasoningEffort'), value: details.reasoningEffort },
    { term: t('details.usedChannels'), value: details.usedChannels },
    { term: t('details.clientIp'), value: log.client_ip },
    { term: t('details.errorCode'), value: details.errorCode },
    { term: t('details.statusCode'), value: details.statusCode },
  ]
  return <Facts facts={facts.filter(({ value }) => value !== '')} />
}

function RequestId({ id }: { id: string }) {
  const { t } = useTranslation('logs')
  return (
    <>
      <code className="mono">{id}</code> <CopyButton text={id} label={t('details.copyRequestId')} />
    </>
  )
}
