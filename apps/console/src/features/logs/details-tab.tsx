import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { FieldList } from '../../components/receipt/field-list.tsx'
import { channelsIn, fieldsOf, record, textIn, upstreamModelIn, type Fields } from '../../components/receipt/fields.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { eventSentence } from './event-text.ts'
import styles from './request.module.css'
import { isRequest } from './state-mark.tsx'
import { channelText } from './steps.ts'

interface Props {
  log: UsageLog
  wholeSite: boolean
}

/** Everything a row records besides its columns. */
export function DetailsTab({ log, wholeSite, hasTitle = false }: Props & { hasTitle?: boolean }) {
  const { t } = useTranslation('logs')
  const fields = fieldsOf(log)
  // The message of an error is shown above.
  const text = log.type === LOG_TYPE.error ? '' : eventSentence(log, t) || log.content
  return (
    <section className={styles.section} aria-label={t('tabs.details')}>
      {hasTitle && <h3>{t('tabs.details')}</h3>}
      {text && <p className={styles.content}>{text}</p>}
      <RowFacts log={log} wholeSite={wholeSite} />
      <ChatContent fields={fields} />
      <FieldList fields={fields} />
    </section>
  )
}

function RowFacts({ log, wholeSite }: Props) {
  const { t } = useTranslation('logs')
  const { t: request } = useTranslation('request')
  const fields = fieldsOf(log)
  const admin = record(fields.admin_info)
  const facts = [
    { term: t('columns.user'), value: wholeSite ? log.username : '' },
    { term: t('columns.token'), value: log.token_name },
    { term: t('columns.group'), value: log.group },
    {
      term: t('columns.channel'),
      value: wholeSite && log.channel > 0 ? channelText(log.channel, log.channel_name) : '',
    },
    { term: t('columns.retry'), value: channelsIn(fields).length > 1 ? channelsIn(fields).join(' → ') : '' },
    { term: t('details.upstreamModel'), value: upstreamModelIn(fields) },
    { term: t('facets.stream'), value: isRequest(log) ? t(log.is_stream ? 'stream' : 'notStream') : '' },
    { term: t('fields.reasoning_effort'), value: textIn(fields, 'reasoning_effort') },
    { term: t('details.clientIp'), value: log.client_ip },
    { term: request('rejection.request'), value: `${textIn(admin, 'method')} ${textIn(admin, 'path')}`.trim() },
    { term: request('rejection.client'), value: textIn(admin, 'client') },
    { term: t('fields.status_code'), value: textIn(fields, 'status_code') },
    { term: t('fields.error_code'), value: textIn(fields, 'error_code') },
  ]
  return <Facts facts={facts.filter(({ value }) => value !== '')} />
}

const PARTS = ['system_prompt', 'context', 'input_content', 'output_content'] as const

/** The conversation as plain text, if the site stores it. */
function ChatContent({ fields }: { fields: Fields }) {
  const { t } = useTranslation('logs')
  const parts = PARTS.map((part) => ({ part, text: textIn(fields, part) })).filter(({ text }) => text !== '')
  if (parts.length === 0) return null
  return (
    <section className={styles.chat} aria-label={t('chat.title')}>
      {parts.map(({ part, text }) => (
        <details key={part}>
          <summary>
            {t(`chat.${part}`)} <span className="secondary">{t('chat.length', { length: [...text].length })}</span>
          </summary>
          <div className={styles.chatText}>
            <CopyButton text={text} label={t('chat.copy', { part: t(`chat.${part}`) })} />
            <pre>{text}</pre>
          </div>
        </details>
      ))}
    </section>
  )
}
