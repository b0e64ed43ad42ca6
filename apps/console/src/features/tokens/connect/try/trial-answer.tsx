import { CheckCircleFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../../lib/format.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import styles from '../connect.module.css'
import type { Answered } from './send-trial.ts'
import { TrialCost } from './trial-cost.tsx'

/** What the model said, and what it took. */
export function TrialAnswer({ trial }: { trial: Answered }) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { text, milliseconds, inputTokens, outputTokens, requestId } = trial
  const facts = [
    { term: t('trial.latency'), value: t('trial.milliseconds', { value: formatCount(milliseconds) }) },
    ...(inputTokens !== null && outputTokens !== null
      ? [{ term: t('trial.tokens'), value: `${formatCount(inputTokens)} / ${formatCount(outputTokens)}` }]
      : []),
    { term: t('trial.cost'), value: <TrialCost requestId={requestId} /> },
  ]
  return (
    <section className={styles.outcome} data-outcome="answered" aria-label={t('trial.answered')}>
      <h3 className={styles.outcomeTitle}>
        <CheckCircleFilled aria-hidden /> {t('trial.answered')}
      </h3>
      <p className={text ? styles.answer : 'secondary'}>{text || t('trial.noText')}</p>
      <dl className={styles.measures}>
        {facts.map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      {requestId && (
        <p className={styles.request}>
          {common('requestId')} <code className="mono">{requestId}</code>
          <CopyButton text={requestId} label={common('copyRequestId')} />
        </p>
      )}
    </section>
  )
}
