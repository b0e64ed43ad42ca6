import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined } from '@ant-design/icons'
import { channelTypeOf, fetchUpstreamModels, testUnsavedChannel, UNTESTABLE_TYPES } from '@tidegate/contract/api'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, callForFinding } from '../../../api/client.ts'
import { errorText } from '../../../api/errors.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { Button, Form, type FormInstance } from '../../../ui/kit/index.ts'
import { typeName } from '../../../components/channel-type-name.ts'
import { bodyOf, INITIAL_CHANNEL, type ChannelValues } from './channel-values.ts'
import styles from './editor.module.css'
import { splitKeys } from './key-text.ts'
import { isPlausibleKey, recognizeProvider } from './recognize-provider.ts'

const STEPS = ['recognize', 'fetch', 'test'] as const
type StepName = (typeof STEPS)[number]

interface Step {
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Message of the provider. */
  message?: string
  count?: number
  seconds?: string
}

type Progress = Record<StepName, Step>

const WAITING: Progress = { recognize: { state: 'waiting' }, fetch: { state: 'waiting' }, test: { state: 'waiting' } }
const TYPING_PAUSE_MS = 500
/** The maximum number of models that are selected automatically. */
const MAX_SELECTED = 50

interface Options {
  enabled: boolean
  suggestions: Readonly<Record<string, readonly string[]>>
  /** Chooses a recognized provider. */
  onType(type: number): void
  /** The chosen provider is the one of the key. */
  onKnownType(type: number): void
}

/** Runs after a key was pasted: recognizes the provider, fetches its models and tests one of them. */
export function useAddSteps(form: FormInstance<ChannelValues>, { enabled, suggestions, onType, onKnownType }: Options) {
  const { t } = useTranslation('channels')
  const [progress, setProgress] = useState(WAITING)
  const [run, setRun] = useState(0)
  const [fetched, setFetched] = useState<readonly string[]>([])
  const type = Form.useWatch('type', form) ?? INITIAL_CHANNEL.type
  const key = Form.useWatch('key', form) ?? ''
  const baseUrl = Form.useWatch('base_url', form) ?? ''
  const other = Form.useWatch('other', form) ?? ''
  const first = channelTypeOf(type)?.singleKey || key.trim().startsWith('{') ? key.trim() : (splitKeys(key)[0] ?? '')
  const input = useDebounced(JSON.stringify({ first, type, baseUrl, other }), TYPING_PAUSE_MS)

  const start = useEffectEvent(async (signal: AbortSignal) => {
    if (!isPlausibleKey(first)) return setProgress(WAITING)
    const recognized = recognizeProvider(first)
    const isChosen = form.isFieldTouched('type') || baseUrl.trim() !== ''
    if (recognized === undefined && !isChosen) {
      return setProgress({ ...WAITING, recognize: { state: 'failed' } })
    }
    if (recognized !== undefined && recognized !== type && !isChosen) return onType(recognized) // starts again
    onKnownType(type)
    setProgress({ ...WAITING, recognize: { state: 'done' }, fetch: { state: 'running' } })
    const fetching = await attempt(fetchModels(signal))
    if (signal.aborted) return
    setProgress((before) => ({ ...before, fetch: fetching, test: { state: 'running' } }))
    const testing = await attempt(test(signal))
    if (!signal.aborted) setProgress((before) => ({ ...before, test: testing }))
  })
  const job = enabled ? `${run} ${input}` : '' // starts again when it changes
  useEffect(() => {
    if (job === '') return
    const control = new AbortController()
    const timer = setTimeout(() => void start(control.signal))
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [job])

  return {
    progress,
    /** The key does not identify the provider. */
    needsProvider: progress.recognize.state === 'failed',
    /** The test failed, so the channel would not work. */
    isFailed: progress.test.state === 'failed',
    isRunning: STEPS.some((name) => progress[name].state === 'running'),
    isTestable: !UNTESTABLE_TYPES.has(type),
    /** Fetches and tests again. Without a key, its field shows an error. */
    test: () => (isPlausibleKey(first) ? setRun(run + 1) : void form.validateFields(['key']).catch(() => {})),
  }

  async function fetchModels(signal: AbortSignal): Promise<Step> {
    const { setting, header_override, base_url } = body()
    const models = await call(fetchUpstreamModels, {
      body: { type, key: first, setting, header_override, base_url },
      signal,
    })
    const chosen = (form.getFieldValue('models') as string[] | undefined) ?? []
    const suggested = suggestions[type] ?? []
    const isUntouched = [[], suggested, fetched].some((list) => list.join(',') === chosen.join(','))
    const selected = selectModels(models, suggested)
    if (isUntouched && selected.length > 0) {
      form.setFields([{ name: 'models', value: selected, touched: true, errors: [] }])
      setFetched(selected)
    }
    return { state: 'done', count: models.length }
  }

  async function test(signal: AbortSignal): Promise<Step> {
    if (UNTESTABLE_TYPES.has(type)) return { state: 'waiting' }
    const { models = '', ...values } = body()
    const model = values.test_model || models.split(',')[0]!
    if (model === '') return { state: 'waiting' }
    const result = await callForFinding(testUnsavedChannel, { body: { ...values, models, key: first, model }, signal })
    if (result.success) return { state: 'done', seconds: result.time.toFixed(2) }
    return { state: 'failed', message: result.message || t('test.requestFailed') }
  }

  function body() {
    const values = { ...INITIAL_CHANNEL, ...form.getFieldsValue(true) }
    const { name: _, ...sent } = bodyOf(values, { singleKey: true })
    return sent
  }
}

async function attempt(step: Promise<Step>): Promise<Step> {
  try {
    return await step
  } catch (error) {
    return { state: 'failed', message: errorText(error) }
  }
}

/** Suggested models that the provider offers, or the first of all models if it offers none of them. */
export function selectModels(offered: readonly string[], suggested: readonly string[]): string[] {
  const both = suggested.filter((model) => offered.includes(model))
  return both.length > 0 ? both : offered.slice(0, MAX_SELECTED)
}

const ICONS = {
  running: <LoadingOutlined aria-hidden spin />,
  done: <CheckCircleFilled aria-hidden />,
  failed: <CloseCircleFilled aria-hidden />,
}

/** What runs by itself after a key was pasted, with its results. */
export function AddSteps({ steps: { progress }, type }: { steps: ReturnType<typeof useAddSteps>; type: number }) {
  const { t } = useTranslation('channels')
  const message = STEPS.map((name) => progress[name].message).find((text) => text)
  const current = STEPS.find((name) => progress[name].state !== 'done')
  return (
    <div className={styles.steps} aria-live="polite">
      <ol aria-label={t('steps.label')}>
        {STEPS.map((name, index) => {
          const { state, count = 0, seconds = '' } = progress[name]
          return (
            <li key={name} data-state={state} {...(name === current && { 'aria-current': 'step' as const })}>
              {state === 'waiting' ? <span className={styles.stepNumber}>{index + 1}</span> : ICONS[state]}
              {t(`steps.${name}.${state}`, { name: typeName(type, t), count, seconds })}
            </li>
          )
        })}
      </ol>
      {message && <p className={styles.stepMessage}>{message}</p>}
    </div>
  )
}

/** Tests the entered key. Beside the button that saves the channel. */
export function TestButton({ steps }: { steps: ReturnType<typeof useAddSteps> }) {
  const { t } = useTranslation('channels')
  if (!steps.isTestable) return null
  return (
    <Button loading={steps.isRunning} onClick={steps.test}>
      {t(steps.progress.test.state === 'waiting' ? 'testIt' : 'steps.again')}
    </Button>
  )
}
