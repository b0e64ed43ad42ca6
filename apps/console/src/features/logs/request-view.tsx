import { CodeOutlined, ExperimentOutlined, FilterOutlined, RedoOutlined } from '@ant-design/icons'
import type { RequestTrail, UsageLog } from '@tidegate/contract/api'
import { Fragment, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { useLogErrorLabel } from './gateway-errors.ts'
import { PricesLink } from '../../components/prices-link.tsx'
import { chatBody, curlPost } from '../../components/code-samples.ts'
import { CallTiming } from '../../components/receipt/call-timing.tsx'
import { fieldsOf, firstTokenIn, flagIn, numberIn, record, textIn } from '../../components/receipt/fields.ts'
import { useAmount } from '../../components/receipt/receipt-table.tsx'
import { formatCount, formatExactTime } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { Button, Tabs } from '../../ui/kit/index.ts'
import { Attempts, costText } from './columns.tsx'
import { DetailsTab } from './details-tab.tsx'
import type { LogFilters } from './filters.ts'
import { type PanelActions, PanelButtons } from './panel-buttons.tsx'
import { ReceiptTab } from './receipt-tab.tsx'
import styles from './request.module.css'
import { isRequest, LogType, stateOf } from './state-mark.tsx'
import { totalOf } from './steps.ts'
import { Trace } from './trace.tsx'

const TONES: Record<RequestTrail['outcome'], Tone> = {
  served: 'good',
  interrupted: 'warn',
  failed: 'bad',
  rejected: 'bad',
}

export interface RequestViewProps {
  trail: RequestTrail
  /** The steps are still loading; the header uses data of the list. */
  isLoading?: boolean
  wholeSite: boolean
  /** Shows the list with these filters. */
  onFilter(changes: Partial<LogFilters>): void
  panel?: PanelActions
}

/** Steps, times and cost of one request: tabs in the panel of the list, one below the other on the request page. */
export function RequestView({ trail, isLoading = false, wholeSite, onFilter, panel }: RequestViewProps) {
  const { t } = useTranslation('logs')
  const [tab, setTab] = useState('trace')
  const log = trail.row ?? trail.errors.at(-1)
  const hasFailed = trail.outcome === 'failed' || trail.outcome === 'rejected'
  const parts = [
    {
      key: 'trace',
      label: t('tabs.trace'),
      children: isLoading ? <Loading /> : <Trace trail={trail} shown={hasFailed ? (log?.content ?? '') : ''} />,
    },
    { key: 'receipt', label: t('tabs.receipt'), children: <ReceiptTab trail={trail} /> },
    {
      key: 'details',
      label: t('tabs.details'),
      children: log && <DetailsTab log={log} wholeSite={wholeSite} hasTitle={!panel} />,
    },
  ]
  if (log && !isRequest(log)) return <EventView log={log} wholeSite={wholeSite} {...(panel && { panel })} />
  return (
    <article className={styles.view} aria-label={t('requestOf', { model: log?.model_name ?? '' })}>
      <Head trail={trail} log={log} {...(panel && { panel })} />
      {hasFailed && log && <Failure trail={trail} log={log} wholeSite={wholeSite} onFilter={onFilter} />}
      <Figures trail={trail} log={log} />
      {log && <Actions log={log} wholeSite={wholeSite} onFilter={onFilter} />}
      {panel ? (
        <Tabs className={styles.tabs} activeKey={tab} onChange={setTab} items={parts} />
      ) : (
        <div className={styles.parts}>
          {parts.map(({ key, children }) => (
            <Fragment key={key}>{children}</Fragment>
          ))}
        </div>
      )}
    </article>
  )
}

/** A row that is not a request, such as a top-up. */
function EventView({ log, wholeSite, panel }: { log: UsageLog; wholeSite: boolean; panel?: PanelActions }) {
  return (
    <article className={styles.view}>
      <div className={styles.head}>
        <div className={styles.title}>
          <LogType log={log} />
          <span className="secondary">{formatExactTime(log.created_at)}</span>
        </div>
        {panel && <PanelButtons panel={panel} />}
      </div>
      <DetailsTab log={log} wholeSite={wholeSite} />
    </article>
  )
}

/** The data of a list row, shown until the steps of the request are loaded. */
export function trailOf(log: UsageLog): RequestTrail {
  const state = stateOf(log)
  const isError = state === 'error' || state === 'retried'
  const fields = fieldsOf(log)
  const outcome = isError
    ? flagIn(fields, 'rejected')
      ? 'rejected'
      : 'failed'
    : state === 'interrupted'
      ? state
      : 'served'
  return {
    request_id: log.request_id,
    outcome,
    steps: [],
    ...(!isError && { row: log }),
    errors: isError ? [log] : [],
    charged: {
      quota: log.quota,
      token_quota: flagIn(fields, 'token_limited') ? log.quota : 0,
      uncovered: numberIn(fields, 'uncovered') ?? 0,
    },
  }
}

interface HeadProps {
  trail: RequestTrail
  log: UsageLog | undefined
  panel?: PanelActions
}

function Head({ trail, log, panel }: HeadProps) {
  const { t } = useTranslation('request')
  const { outcome } = trail
  return (
    <header>
      <div className={styles.head}>
        <div className={styles.title}>
          {log && (
            <span className={styles.model}>
              <strong className="mono">{log.model_name || '–'}</strong>
              <CopyButton text={log.model_name} label={t('head.copyModel')} />
            </span>
          )}
          <StatusTag tone={TONES[outcome]}>{t(`outcome.${outcome}`)}</StatusTag>
          {log && <Attempts log={log} />}
        </div>
        {panel && <PanelButtons panel={panel} />}
      </div>
      <div className={styles.id}>
        {trail.request_id && (
          <span>
            <span className="visually-hidden">{t('head.requestId')} </span>
            <code className="mono">{trail.request_id}</code>
            <CopyButton text={trail.request_id} label={t('head.copyId')} />
          </span>
        )}
        {log && <span>{formatExactTime(log.created_at)}</span>}
      </div>
    </header>
  )
}

/** A failed request has no cost and no tokens. */
function Figures({ trail, log }: Omit<HeadProps, 'panel'>) {
  const { t } = useTranslation('request')
  const { t: logs } = useTranslation('logs')
  const { row } = trail
  const total = totalOf(trail.steps) || (log?.use_time_ms ?? 0)
  const firstToken = row ? (row.first_token_ms ?? firstTokenIn(fieldsOf(row))) : null
  return (
    <dl className={styles.figures}>
      {row && <Figure name={t('head.cost')}>{costText(row.quota)}</Figure>}
      <Figure name={logs('totalTime')}>
        <CallTiming milliseconds={total} firstToken={firstToken} isStream={log?.is_stream ?? false} />
      </Figure>
      {row && (
        <Figure name={t('head.tokens')}>
          {formatCount(row.prompt_tokens)} / {formatCount(row.completion_tokens)}
        </Figure>
      )}
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  )
}

/** Errors of the site itself. Their messages are written for callers; administrators need other steps. */
const HINTS = [
  'model_not_found',
  'no_channel',
  'model_not_in_group',
  'model_endpoint_unsupported',
  'model_price_error',
  'upstream_account_error',
  'insufficient_user_quota',
  'api_key_owner_disabled',
] as const

interface FailureProps extends Pick<RequestViewProps, 'trail' | 'wholeSite' | 'onFilter'> {
  log: UsageLog
}

/** The cause, the response to the caller and the next steps. */
function Failure({ trail, log, wholeSite, onFilter }: FailureProps) {
  const { t } = useTranslation('request')
  const amount = useAmount()
  const fields = fieldsOf(log)
  const admin = record(fields.admin_info)
  const status = textIn(fields, 'status_code')
  const code = textIn(fields, 'error_code')
  const hint = HINTS.find((known) => known === code)
  const label = useLogErrorLabel()({ code, status: Number(status) })
  const isForCaller = wholeSite && hint !== undefined
  const attempts = log.attempts ?? trail.errors.length
  const needed = numberIn(record(admin.details), 'needed')
  const notRecorded = numberIn(fields, 'not_recorded') ?? 0
  const happened =
    trail.outcome === 'rejected' ? t('failure.rejected') : t('failure.attempts', { count: Math.max(1, attempts) })
  return (
    <section className={styles.failure} aria-label={t('failure.title')}>
      {log.content && (
        <p>
          <strong>{isForCaller ? label : log.content}</strong>
        </p>
      )}
      {isForCaller && <p>{t(`rejection.hints.${hint}`)}</p>}
      <p>
        {happened} {status && received()}
      </p>
      {needed !== null && (
        <p>
          {t('rejection.needed')}: {amount(needed)}
        </p>
      )}
      {notRecorded > 0 && <p>{t('rejection.notRecorded', { count: formatCount(notRecorded) })}</p>}
      <div className={styles.buttons}>
        {hint === 'model_price_error' && wholeSite && (
          <PricesLink text={t('failure.setPrice')} className={styles.linkButton} />
        )}
        {log.error_code && (
          <Button size="small" onClick={() => onFilter({ status: ['error'], error: [log.error_code!] })}>
            {t('failure.sameCode')}
          </Button>
        )}
        {log.model_name && (
          <Button size="small" onClick={() => onFilter({ status: ['error'], model: [log.model_name] })}>
            {t('failure.onlyError')}
          </Button>
        )}
        {wholeSite && log.username && (
          <Button size="small" onClick={() => onFilter({ status: ['error'], username: [log.username] })}>
            {t('failure.onlyUser', { name: log.username })}
          </Button>
        )}
        {wholeSite && log.channel > 0 && (
          <Link className={styles.linkButton} to={`/channel/edit/${log.channel}`}>
            {t('failure.openChannel', { name: log.channel_name || `#${log.channel}` })}
          </Link>
        )}
      </div>
    </section>
  )

  function received(): string {
    const message = log.content
    return isForCaller && message ? t('failure.receivedText', { status, message }) : t('failure.received', { status })
  }
}

function Actions({ log, wholeSite, onFilter }: { log: UsageLog } & Pick<RequestViewProps, 'wholeSite' | 'onFilter'>) {
  const { t } = useTranslation('request')
  const copy = useCopyText()
  const { server_address: address } = useStatus()
  const prompt = textIn(fieldsOf(log), 'input_content') || undefined
  const playground = `/playground?model=${encodeURIComponent(log.model_name)}`
  return (
    <div className={styles.buttons}>
      <Button
        size="small"
        icon={<CodeOutlined aria-hidden />}
        onClick={() => void copy(curlOf(log, address || window.location.origin))}
      >
        {t('actions.curl')}
      </Button>
      {log.model_name && prompt && (
        <Link className={styles.linkButton} to={playground} state={{ prompt, send: true }}>
          <RedoOutlined aria-hidden /> {t('actions.sendAgain')}
        </Link>
      )}
      {log.model_name && (
        <Link
          className={styles.linkButton}
          to={playground}
          // The prompt is not in the address, because addresses end up in histories and server logs.
          state={{ prompt }}
        >
          <ExperimentOutlined aria-hidden /> {t('actions.playground')}
        </Link>
      )}
      {wholeSite && log.username && (
        <Button
          size="small"
          icon={<FilterOutlined aria-hidden />}
          onClick={() => onFilter({ username: [log.username], status: [] })}
        >
          {t('actions.onlyUser', { name: log.username })}
        </Button>
      )}
    </div>
  )
}

const TOKEN_PLACEHOLDER = 'YOUR_API_TOKEN'
const PROMPT_PLACEHOLDER = 'YOUR_PROMPT'

/** The request as a cURL command. The body has a placeholder unless the site stores conversations. */
export function curlOf(log: UsageLog, address: string): string {
  const fields = fieldsOf(log)
  const connection = { address: address.replace(/\/$/, ''), key: TOKEN_PLACEHOLDER, model: log.model_name }
  const path = textIn(record(fields.admin_info), 'path').replace(/^\/v1/, '')
  const isAnthropic = flagIn(fields, 'claude')
  const body = {
    ...chatBody(connection, textIn(fields, 'input_content') || PROMPT_PLACEHOLDER),
    ...(isAnthropic && { max_tokens: 1024 }),
    ...(log.is_stream && { stream: true }),
  }
  return curlPost(connection, path || (isAnthropic ? '/messages' : '/chat/completions'), body)
}

export function Loading() {
  const { t } = useTranslation('request')
  return (
    <output className={styles.section} aria-label={t('loading')}>
      <SkeletonLines lines={6} />
    </output>
  )
}
