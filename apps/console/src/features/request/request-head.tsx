import type { RequestTrail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { CallTiming } from '../../lib/receipt/call-timing.tsx'
import { fieldsOf, firstTokenIn, upstreamModelIn } from '../../lib/receipt/fields.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { StatusTag, type Tone } from '../../ui/status-tag.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './request.module.css'
import { totalOf } from './time-axis.ts'

const TONES: Record<RequestTrail['outcome'], Tone> = {
  served: 'good',
  interrupted: 'warn',
  failed: 'bad',
  rejected: 'bad',
}

/** What a person asks first: which model, did it work, how long, how much. */
export function RequestHead({ trail, wholeSite }: { trail: RequestTrail; wholeSite: boolean }) {
  const { t } = useTranslation('request')
  const { row, errors, steps, outcome } = trail
  const known = row ?? errors.at(-1)
  const upstream = row ? upstreamModelIn(fieldsOf(row)) : ''
  const milliseconds = totalOf(steps) || (known?.use_time_ms ?? 0)
  const facts = [
    { term: t('head.cost'), value: row && <Money quota={row.quota} kind="call" /> },
    { term: t('head.tokens'), value: row && counts() },
    { term: t('head.time'), value: known && <Time unixSeconds={known.created_at} exact /> },
    { term: t('head.user'), value: wholeSite && known?.username },
    { term: t('head.token'), value: known?.token_name },
    { term: t('head.group'), value: known?.group },
    { term: t('head.upstream'), value: upstream && <span className="mono">{upstream}</span> },
  ]
  return (
    <section className={styles.panel}>
      <div className={styles.head}>
        {known && (
          <span className={styles.model}>
            <strong className="mono">{known.model_name}</strong>
            <CopyButton text={known.model_name} label={t('head.copyModel')} />
          </span>
        )}
        <StatusTag tone={TONES[outcome]}>{t(`outcome.${outcome}`)}</StatusTag>
        {known && timing()}
        <span className={styles.id}>
          <span className="visually-hidden">{t('head.requestId')} </span>
          <code className="mono">{trail.request_id}</code>
          <CopyButton text={trail.request_id} label={t('head.copyId')} />
        </span>
      </div>
      <Facts facts={facts.filter(({ value }) => Boolean(value))} />
    </section>
  )

  function timing() {
    return (
      <CallTiming
        milliseconds={milliseconds}
        firstToken={row ? firstTokenIn(fieldsOf(row)) : null}
        isStream={known?.is_stream ?? false}
        failed={!row}
      />
    )
  }

  function counts() {
    return (
      <span className="number">
        {formatCount(row?.prompt_tokens ?? 0)} / {formatCount(row?.completion_tokens ?? 0)}
      </span>
    )
  }
}
