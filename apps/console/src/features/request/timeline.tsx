import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { RequestStep } from '@tidegate/contract/api'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './request.module.css'
import { attemptWords, reasonWords } from './step-words.ts'
import { formatSpan, ticksOf, totalOf } from './time-axis.ts'

/** What the call went through, on one axis of time; where there is no room for an axis, a list with durations. */
export function Timeline({ steps }: { steps: readonly RequestStep[] }) {
  const { t } = useTranslation('request')
  const total = totalOf(steps)
  return (
    <section className={styles.panel} aria-labelledby="request-timeline">
      <h2 id="request-timeline">
        {t('timeline.title')}
        {total > 0 && <span className="secondary number">{t('timeline.total', { time: formatSpan(total) })}</span>}
      </h2>
      {steps.length === 0 ? (
        <p className="secondary">{t('timeline.none')}</p>
      ) : (
        <>
          <ol className={styles.steps}>
            {steps.map((step) => (
              <Step key={`${step.kind}/${step.started}/${step.channel ?? ''}`} step={step} total={total} />
            ))}
          </ol>
          <Axis total={total} />
        </>
      )}
    </section>
  )
}

function Step({ step, total }: { step: RequestStep; total: number }) {
  const { t } = useTranslation('request')
  const where = attemptWords(step, t)
  const isMark = step.took === 0
  const outcome = step.kind === 'attempt' ? (step.served ? 'good' : 'bad') : 'plain'
  return (
    <li className={styles.step} data-outcome={outcome}>
      <span className={styles.stepName}>
        {t(`steps.${step.kind}`)} {outcome !== 'plain' && <Ending served={outcome === 'good'} />}
      </span>
      <span className={styles.track} aria-hidden>
        <span className={styles.bar} data-mark={isMark || undefined} style={place(step, total)} />
      </span>
      <span className={`number ${styles.took}`}>
        {isMark ? t('timeline.at', { time: formatSpan(step.started) }) : formatSpan(step.took)}
      </span>
      {(where || step.reason) && (
        <span className={styles.where}>
          {where} {step.reason && <span className={styles.reason}>{reasonWords(step.reason, t)}</span>}
        </span>
      )}
    </li>
  )
}

function Ending({ served }: { served: boolean }) {
  const { t } = useTranslation('request')
  return (
    <span className={styles.ending}>
      {served ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />}{' '}
      {t(served ? 'attempt.served' : 'attempt.failed')}
    </span>
  )
}

function Axis({ total }: { total: number }) {
  return (
    <div className={styles.axis} aria-hidden>
      <span />
      <span className={styles.ticks}>
        {ticksOf(total).map((tick) => (
          <span key={tick} className={styles.tick} style={{ insetInlineStart: percent(tick, total) }}>
            {formatSpan(tick)}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}

function place({ started, took }: RequestStep, total: number): CSSProperties {
  return { insetInlineStart: percent(started, total), width: percent(took, total) }
}

const percent = (part: number, total: number) => `${total === 0 ? 0 : Math.min(100, (part / total) * 100).toFixed(3)}%`
