import { CheckCircleFilled, CloseCircleFilled, DisconnectOutlined, SendOutlined } from '@ant-design/icons'
import type { ApiToken } from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { Connection } from '../../../components/code-samples.ts'
import { Money } from '../../../components/money.tsx'
import { waitForLogRow } from '../../../components/receipt/wait-for-log-row.ts'
import { formatCount } from '../../../lib/format.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import { keyOf } from '../token-key.ts'
import styles from './connect.module.css'
import { nextStep, sendTestRequest, type TestSuccess, type TestFailure, type TestResult } from './send-request.ts'

interface Props {
  token: ApiToken
  address: string
  /** Undefined if the token can use no model. */
  model: string | undefined
}

/** Sends one real request to check address, key and model. */
export function TryRequest({ token, address, model }: Props) {
  const { t } = useTranslation('connect')
  const [prompt, setPrompt] = useState(() => t('prompt'))
  const { trial, send, stop } = useTestRequest()
  const isRunning = trial === 'running'
  const isBlank = prompt.trim() === ''
  const submit = () => {
    if (isRunning || isBlank || model === undefined) return
    void send({ address, key: keyOf(token), model }, prompt.trim())
  }
  return (
    <form
      className={styles.trial}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label htmlFor="trial-prompt">{t('trial.prompt')}</label>
      <Input
        id="trial-prompt"
        value={prompt}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => setPrompt(target.value)}
        {...(isBlank && { status: 'error', 'aria-invalid': true, 'aria-describedby': 'trial-trouble' })}
      />
      {isBlank && (
        <p id="trial-trouble" className={styles.trouble}>
          {t('trial.promptRequired')}
        </p>
      )}
      <div className={styles.trialActions}>
        <Button
          type="primary"
          htmlType="submit"
          icon={<SendOutlined aria-hidden />}
          loading={isRunning}
          disabled={isBlank || model === undefined}
        >
          {t(trial === null || isRunning ? 'trial.send' : 'trial.again')}
        </Button>
        {isRunning && <Button onClick={stop}>{t('trial.stop')}</Button>}
        <span className={`secondary ${styles.costs}`}>{t('trial.costs')}</span>
      </div>
      <div aria-live="polite">{outcome()}</div>
    </form>
  )

  function outcome() {
    if (trial === null) return null
    if (trial === 'running') return <p className="secondary">{t('trial.running')}</p>
    if (trial.outcome === 'success') return <TestSuccessView trial={trial} />
    if (trial.outcome === 'failure') return <TestFailureView trial={trial} />
    return <UnreachableView address={address} />
  }
}

/** One request at a time. Aborted by `stop` and on unmount. */
function useTestRequest() {
  const [trial, setTrial] = useState<TestResult | 'running' | null>(null)
  const controllerRef = useRef<AbortController>(null)
  useEffect(() => () => controllerRef.current?.abort(), [])

  const send = async (connection: Connection, prompt: string) => {
    const controller = new AbortController()
    controllerRef.current?.abort()
    controllerRef.current = controller
    setTrial('running')
    try {
      setTrial(await sendTestRequest(connection, prompt, controller.signal))
    } catch {
      // Aborted. A newer request may already be shown.
      if (controllerRef.current === controller) setTrial(null)
    }
  }
  return { trial, send, stop: () => controllerRef.current?.abort() }
}

/** Text, duration, tokens and cost of a successful request. */
function TestSuccessView({ trial }: { trial: TestSuccess }) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { text, milliseconds, inputTokens, outputTokens, requestId } = trial
  const facts = [
    { term: t('trial.latency'), value: t('trial.milliseconds', { value: formatCount(milliseconds) }) },
    ...(inputTokens !== null && outputTokens !== null
      ? [{ term: t('trial.tokens'), value: `${formatCount(inputTokens)} / ${formatCount(outputTokens)}` }]
      : []),
    { term: t('trial.cost'), value: <TestCost requestId={requestId} /> },
  ]
  return (
    <section className={styles.outcome} data-outcome="success" aria-label={t('trial.answered')}>
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

const billQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['test-request-log', requestId],
    queryFn: async ({ signal, client }) => {
      const bill = await waitForLogRow(requestId, signal)
      // The token list shows the remaining quota.
      if (bill) void client.invalidateQueries({ queryKey: ['tokens'] })
      return bill
    },
    staleTime: Infinity,
    retry: false,
    enabled: requestId !== '',
  })

/** The cost of a request once it is settled. */
function TestCost({ requestId }: { requestId: string }) {
  const { t } = useTranslation('connect')
  const bill = useQuery(billQuery(requestId))
  if (bill.data) return <Money quota={bill.data.quota} kind="call" />
  if (bill.isFetching) return <output className="secondary">{t('trial.settling')}</output>
  return (
    <span className="secondary">
      {t('trial.unsettled')} <Link to="/app/logs/api-usage">{t('trial.toLogs')}</Link>
    </span>
  )
}

/** Message, error code and request ID of a failed request, and what to do. */
function TestFailureView({ trial }: { trial: TestFailure }) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { change } = useUrlState()
  const navigate = useNavigate()
  const { message, code, requestId } = trial
  const step = nextStep(trial)
  return (
    <section className={styles.outcome} data-outcome="failed" role="alert" aria-label={t('trial.refused')}>
      <h3 className={styles.outcomeTitle}>
        <CloseCircleFilled aria-hidden /> {t('trial.refused')}
      </h3>
      <p className={styles.answer}>{message}</p>
      <p>{t(`trial.next.${step}`)}</p>
      {(code || requestId) && (
        <p className={styles.request}>
          {code && (
            <span>
              {t('trial.code')} <code className="mono">{code}</code>
            </span>
          )}
          {requestId && (
            <span>
              {common('requestId')} <code className="mono">{requestId}</code>
              <CopyButton text={requestId} label={common('copyRequestId')} />
            </span>
          )}
        </p>
      )}
      {step === 'token' && (
        <Button onClick={() => change({ drawer: 'edit', tool: null })}>{t('trial.editToken')}</Button>
      )}
      {step === 'balance' && <Button onClick={() => void navigate('/app/wallet')}>{t('trial.topUp')}</Button>}
    </section>
  )
}

function UnreachableView({ address }: { address: string }) {
  const { t } = useTranslation('connect')
  return (
    <section className={styles.outcome} data-outcome="failed" role="alert" aria-label={t('trial.unreachable')}>
      <h3 className={styles.outcomeTitle}>
        <DisconnectOutlined aria-hidden /> {t('trial.unreachable')}
      </h3>
      <p>{t('trial.next.address', { address })}</p>
    </section>
  )
}
