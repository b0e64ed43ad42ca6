import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { RequestStep, RequestTrail, UsageLog } from '@tidegate/contract/api'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOf, record, textIn } from '../../components/receipt/fields.ts'
import { joinSentences } from '../../lib/join-sentences.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Time } from '../../ui/page/time.tsx'
import styles from './request.module.css'
import { attemptText, channelText, formatSpan, reasonText, ticksOf, totalOf } from './steps.ts'

/** When each step of a request ran, which channels were called, and why. `shown` is a message above it. */
export function Trace({ trail, shown }: { trail: RequestTrail; shown: string }) {
  const messages = trail.errors.map(messageOf)
  const isShown = (text: string) => [shown, ...messages].some((message) => message.includes(text))
  const hasFailures =
    trail.outcome !== 'rejected' && (trail.errors.length > 1 || messages.some((text) => !repeats(text)))
  return (
    <>
      <Waterfall steps={trail.steps} isShown={isShown} />
      {trail.decision && <Decision decision={trail.decision} />}
      {hasFailures && <FailedAttempts rows={trail.errors} repeats={repeats} />}
    </>
  )

  /** A message is said once: not again below the cause at the top. */
  function repeats(message: string): boolean {
    return message !== '' && shown.includes(message)
  }
}

/** The message of the provider, which only administrators see, or the message of the site. */
const messageOf = (row: UsageLog) => textIn(record(fieldsOf(row).admin_info), 'message') || row.content

interface WaterfallProps {
  steps: readonly RequestStep[]
  /** A message that another part of the page shows. */
  isShown(message: string): boolean
}

function Waterfall({ steps, isShown }: WaterfallProps) {
  const { t } = useTranslation('request')
  const total = totalOf(steps)
  const firstAttempt = steps.findIndex(({ kind }) => kind === 'attempt')
  const before = steps.slice(0, Math.max(0, firstAttempt))
  const rest = steps.slice(Math.max(0, firstAttempt)).filter(({ kind }) => kind !== 'first_token')
  const firstToken = steps.find(({ kind }) => kind === 'first_token')
  const attempts = rest.filter(({ kind }) => kind === 'attempt')
  return (
    <section className={styles.section} aria-labelledby="request-timeline">
      <h3 id="request-timeline">
        {t('timeline.title')}
        {total > 0 && <span className="secondary number">{t('timeline.total', { time: formatSpan(total) })}</span>}
      </h3>
      {steps.length === 0 ? (
        <p className="secondary">{t('timeline.none')}</p>
      ) : (
        <div className={styles.waterfall}>
          <Axis total={total} />
          {before.length > 0 && <EarlySteps steps={before} total={total} />}
          <ol className={styles.steps}>
            {rest.map((step) => (
              <Step
                key={`${step.kind}/${step.started}/${step.channel ?? ''}`}
                step={step}
                total={total}
                isShown={isShown}
                firstToken={step.kind === 'settle' ? undefined : firstToken?.started}
                {...(step.kind === 'attempt' && attempts.length > 1 && { number: attempts.indexOf(step) + 1 })}
              />
            ))}
          </ol>
          {firstToken && (
            <p className={styles.firstToken}>
              <i aria-hidden />
              {t('steps.first_token')}{' '}
              <span className="number">{t('timeline.at', { time: formatSpan(firstToken.started) })}</span>
            </p>
          )}
        </div>
      )}
    </section>
  )
}

/** The steps before the first attempt take milliseconds, so they are collapsed. */
function EarlySteps({ steps, total }: { steps: readonly RequestStep[]; total: number }) {
  const { t } = useTranslation('request')
  const took = totalOf(steps)
  return (
    <details className={styles.early}>
      <summary className={styles.step}>
        <span className={styles.stepName}>{t('timeline.before', { count: steps.length })}</span>
        <Track started={0} took={took} total={total} />
        <span className={`number ${styles.took}`}>{formatSpan(took)}</span>
      </summary>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.kind} step={step} total={total} />
        ))}
      </ol>
    </details>
  )
}

interface StepProps {
  step: RequestStep
  total: number
  firstToken?: number | undefined
  /** Of an attempt, if there are several. */
  number?: number
  isShown?(message: string): boolean
}

function Step({ step, total, firstToken, number, isShown }: StepProps) {
  const { t } = useTranslation('request')
  const { kind, channel, channel_name: channelName = '' } = step
  const outcome = kind === 'attempt' ? (step.served ? 'good' : 'bad') : 'plain'
  const detail = attemptText(step, t)
  const name = channel === undefined ? t(`steps.${kind}`) : channelName || `#${channel}`
  return (
    <li className={styles.step} data-outcome={outcome} title={`${formatSpan(step.started)} + ${formatSpan(step.took)}`}>
      <span className={styles.stepName}>
        {number !== undefined && <span className={styles.attemptNumber}>{number}</span>}
        <span className={styles.stepTitle} {...(channel !== undefined && { title: channelText(channel, channelName) })}>
          {name}
        </span>
      </span>
      <Track started={step.started} took={step.took} total={total} firstToken={firstToken} />
      <span className={`number ${styles.took}`}>
        {step.took === 0 ? t('timeline.at', { time: formatSpan(step.started) }) : formatSpan(step.took)}
      </span>
      {outcome !== 'plain' && (
        <span className={styles.result}>
          <Result served={outcome === 'good'} />
          {[step.reason && reasonText(step.reason, t, isShown), detail].filter(Boolean).join(' · ')}
        </span>
      )}
    </li>
  )
}

function Result({ served }: { served: boolean }) {
  const { t } = useTranslation('request')
  return (
    <span className={styles.ending}>
      {served ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />}{' '}
      {t(served ? 'attempt.served' : 'attempt.failed')}
    </span>
  )
}

interface TrackProps {
  started: number
  took: number
  total: number
  firstToken?: number | undefined
}

function Track({ started, took, total, firstToken }: TrackProps) {
  return (
    <span className={styles.track} aria-hidden>
      <span
        className={styles.bar}
        data-mark={took === 0 || undefined}
        style={{ insetInlineStart: percent(started, total), width: percent(took, total) }}
      />
      {firstToken !== undefined && (
        <span className={styles.firstTokenLine} style={{ insetInlineStart: percent(firstToken, total) }} />
      )}
    </span>
  )
}

function Axis({ total }: { total: number }) {
  return (
    <div className={styles.axis} aria-hidden>
      <span className={styles.ticks}>
        {ticksOf(total).map((tick) => (
          <span key={tick} className={styles.tick} style={place(tick, total)}>
            {formatSpan(tick)}
          </span>
        ))}
      </span>
    </div>
  )
}

const place = (tick: number, total: number): CSSProperties => ({ insetInlineStart: percent(tick, total) })
const percent = (part: number, total: number) => `${total === 0 ? 0 : Math.min(100, (part / total) * 100).toFixed(3)}%`

const REASONS = ['cannot-serve', 'no-price', 'prompt-too-long', 'cooling-down', 'disabled', 'other-group'] as const

/** How the channel was selected, for administrators. */
function Decision({ decision }: { decision: NonNullable<RequestTrail['decision']> }) {
  const { t } = useTranslation('request')
  const { candidates, kept, passed_over: passedOver, passed_over_count: count } = decision
  return (
    <section className={styles.section} aria-labelledby="request-decision">
      <h3 id="request-decision">{t('decision.title')}</h3>
      <p>
        {joinSentences(
          t('decision.candidates', { count: candidates }),
          kept === undefined ? '' : t('decision.kept', { channel: `#${kept}` }),
          count === 0 ? t('decision.none') : t('decision.passedOver', { count }),
        )}
      </p>
      {passedOver.length > 0 && (
        <ul className={styles.passedOver}>
          {passedOver.map(({ channel, channel_name: name, reason }) => (
            <li key={channel}>
              <strong>{channelText(channel, name)}</strong> <span className="secondary">{reasonName(reason)}</span>
            </li>
          ))}
        </ul>
      )}
      {count > passedOver.length && (
        <p className="secondary">{t('decision.more', { count: count - passedOver.length })}</p>
      )}
    </section>
  )

  function reasonName(reason: string): string {
    const known = REASONS.find((name) => name === reason)
    return known ? t(`decision.reasons.${known}`) : reason
  }
}

/** The errors of the provider, one per failed attempt. */
interface FailedAttemptsProps {
  rows: readonly UsageLog[]
  repeats(message: string): boolean
}

function FailedAttempts({ rows, repeats }: FailedAttemptsProps) {
  const { t } = useTranslation('request')
  return (
    <section className={styles.section} aria-labelledby="request-errors">
      <h3 id="request-errors">{t('errors.title')}</h3>
      <ol className={styles.failures}>
        {rows.map((row) => (
          <li key={`${row.id}/${row.created_at}`}>
            <FailedAttempt row={row} repeats={repeats} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function FailedAttempt({ row, repeats }: { row: UsageLog } & Pick<FailedAttemptsProps, 'repeats'>) {
  const { t } = useTranslation('request')
  const fields = fieldsOf(row)
  const message = messageOf(row)
  const facts = [
    row.channel > 0 ? channelText(row.channel, row.channel_name) : '',
    textIn(fields, 'status_code'),
    textIn(fields, 'error_code'),
  ].filter(Boolean)
  return (
    <>
      <p className={styles.failureHead}>
        <Time unixSeconds={row.created_at} exact /> <span>{facts.join(' · ')}</span>
        {message && <CopyButton text={message} label={t('errors.copy')} />}
      </p>
      {message && !repeats(message) && <pre className={styles.message}>{message}</pre>}
    </>
  )
}
