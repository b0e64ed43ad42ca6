import { SearchOutlined, LoadingOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { UNTESTABLE_TYPES, type Channel, type PricedModel } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { dollars } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useOpenings } from '../../../lib/use-openings.ts'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { WorkNotice } from '../../../ui/feedback/progress-bar.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Modal, App, Button, Input, InputNumber, Switch } from '../../../ui/kit/index.ts'
import { focusFirst } from '../../../ui/overlay/focus-first.ts'
import { useConfirmDelete } from '../../../ui/overlay/use-confirm-delete.ts'
import { Time } from '../../../ui/page/time.tsx'
import { useUpdateChannel, channelQuery } from '../api.ts'
import { readMapping, splitNames } from '../channel-text.ts'
import styles from './model-tests.module.css'
import { CONCURRENCY } from './run-tests.ts'
import { useModelFacts, type ModelFacts } from './use-model-facts.ts'
import { type KeptResult, useModelTests } from './use-model-tests.ts'

interface DialogProps {
  open: boolean
  id: number
  onClose(): void
}

/** Tests the models of a channel, one by one or several at once. */
export default function ModelTestDialog({ open, id, onClose }: DialogProps) {
  const { t } = useTranslation('channels')
  const channel = useQuery({ ...channelQuery(id, useOpenings(open, id)), enabled: open })
  return (
    <Modal
      title={channel.data ? t('test.title', { name: channel.data.name }) : t('test.titleLoading')}
      open={open}
      onCancel={onClose}
      footer={null}
      width={760}
      destroyOnHidden
    >
      {channel.data ? (
        <div ref={focusFirst}>
          <Tests channel={channel.data} onChanged={() => void channel.refetch()} />
        </div>
      ) : (
        <Waiting query={channel} />
      )}
    </Modal>
  )
}

/** Tests of all models, or why there are none. */
export function Tests({ channel, onChanged }: { channel: Channel; onChanged(): void }) {
  const { t } = useTranslation('channels')
  const models = splitNames(channel.models)
  if (UNTESTABLE_TYPES.has(channel.type)) return <EmptyState title={t('test.unsupported')} />
  if (models.length === 0) return <EmptyState title={t('test.noModels')} />
  return <ModelTests channel={channel} models={models} onChanged={onChanged} />
}

function Waiting({ query }: { query: { error: unknown; isFetching: boolean; refetch(): unknown } }) {
  const { t } = useTranslation()
  if (!query.error) return <SkeletonRows rows={8} />
  return (
    <LoadError title={t('errors.loadFailed')} error={query.error} retrying={query.isFetching} onRetry={query.refetch} />
  )
}

interface TestsProps {
  channel: Pick<Channel, 'id' | 'name' | 'models' | 'model_mapping' | 'model_prefix'>
  models: readonly string[]
  /** Models were removed from the channel. */
  onChanged(): void
}

export function ModelTests({ channel, models, onChanged }: TestsProps) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const { message } = App.useApp()
  const confirmDelete = useConfirmDelete()
  const update = useUpdateChannel()
  const tests = useModelTests(channel.id)
  const factsOf = useModelFacts(channel)
  const upstream = readMapping(channel.model_mapping)
  const [typed, setTyped] = useState('')
  const [concurrency, setConcurrency] = useState<number>(CONCURRENCY.usual)
  const [stream, setStream] = useState(false)
  const ids = { concurrency: useId(), stream: useId() }
  const options = { concurrency, stream }
  const shown = models.filter((model) => model.toLowerCase().includes(typed.trim().toLowerCase()))
  const failed = models.filter((model) => tests.results[model]?.ok === false)
  const retryable = failed.filter((model) => tests.results[model]?.retryable)
  const isRunning = tests.progress !== null

  const deleteFailed = () => {
    const left = models.filter((model) => !failed.includes(model))
    if (left.length === 0) return void message.warning(t('test.cannotDeleteAll'))
    confirmDelete({
      title: t('test.deleteTitle', { count: failed.length }),
      text: t('test.deleteText', { models: failed.slice(0, 8).join(', ') + (failed.length > 8 ? ' …' : '') }),
      onConfirm: async () => {
        await update.mutateAsync({ id: channel.id, models: left.join(',') })
        tests.forget(failed)
        toast.success(t('test.deletedFailed', { count: failed.length }))
        onChanged()
      },
    })
  }
  return (
    <>
      <div className={styles.tools}>
        <Input
          className={styles.search}
          aria-label={t('test.search')}
          placeholder={t('test.search')}
          prefix={<SearchOutlined aria-hidden />}
          allowClear
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <span className={styles.option}>
          <label htmlFor={ids.concurrency}>{t('test.concurrency')}</label>
          <InputNumber
            id={ids.concurrency}
            className={styles.concurrency}
            min={CONCURRENCY.least}
            max={CONCURRENCY.most}
            precision={0}
            disabled={isRunning}
            value={concurrency}
            onChange={(value) => setConcurrency(value ?? CONCURRENCY.usual)}
          />
        </span>
        <span className={styles.option}>
          <Switch id={ids.stream} size="small" disabled={isRunning} checked={stream} onChange={setStream} />
          <label htmlFor={ids.stream}>{t('test.stream')}</label>
        </span>
      </div>
      {tests.progress && (
        <WorkNotice
          title={t('test.running')}
          done={tests.progress.done}
          total={tests.progress.total}
          current={[...tests.running].join(', ')}
          onCancel={tests.cancel}
        />
      )}
      <ul className={styles.models} aria-label={t('test.list')}>
        {shown.map((model) => (
          <TestRow
            key={model}
            model={model}
            upstream={upstream.get(model)}
            facts={factsOf(model)}
            result={tests.results[model]}
            running={tests.running.has(model)}
            disabled={isRunning}
            onTest={() => tests.run([model], { ...options, concurrency: 1 })}
          />
        ))}
        {shown.length === 0 && <li className={styles.nothing}>{common('choices.nothing')}</li>}
      </ul>
      <div className={styles.buttons}>
        {failed.length > 0 && (
          <Button danger disabled={isRunning} loading={update.isPending} onClick={deleteFailed}>
            {t('test.deleteFailed', { count: failed.length })}
          </Button>
        )}
        {retryable.length > 0 && (
          <Button disabled={isRunning} onClick={() => tests.run(retryable, options)}>
            {t('test.retryFailed', { count: retryable.length })}
          </Button>
        )}
        <Button type="primary" disabled={isRunning || shown.length === 0} onClick={() => tests.run(shown, options)}>
          {t(shown.length === models.length ? 'test.all' : 'test.shown', { count: shown.length })}
        </Button>
      </div>
    </>
  )
}

interface RowProps {
  model: string
  /** Name at the provider, if it differs. */
  upstream: string | undefined
  facts?: ModelFacts
  result: KeptResult | undefined
  running: boolean
  disabled: boolean
  onTest(): void
}

/** One model with its last result and a test button. */
export function TestRow({ model, upstream, facts, result, running, disabled, onTest }: RowProps) {
  const { t } = useTranslation('channels')
  return (
    <li className={styles.row}>
      <span className={styles.model}>
        <span className={`mono ${styles.name}`}>{model}</span>
        <CopyButton text={model} label={t('test.copyOne', { model })} />
        {upstream !== undefined && <span className={styles.when}>{t('panel.mapping', { model: upstream })}</span>}
      </span>
      <span className={styles.verdict}>{resultText()}</span>
      <Button size="small" disabled={disabled} aria-label={t('test.one', { model })} onClick={onTest}>
        {t('testIt')}
      </Button>
      {result && !result.ok && !running && (
        <p className={styles.message}>{result.message || t('test.requestFailed')}</p>
      )}
      {facts && <FactLine facts={facts} />}
    </li>
  )

  function resultText() {
    if (running) {
      return (
        <StatusTag tone="info" plain>
          <LoadingOutlined aria-hidden spin /> {t('test.underWay')}
        </StatusTag>
      )
    }
    if (!result) return <span className="secondary">{t('untested')}</span>
    return (
      <>
        <StatusTag tone={result.ok ? 'good' : 'bad'}>{t(result.ok ? 'test.passed' : 'test.failed')}</StatusTag>
        {result.seconds > 0 && <span className="number">{t('seconds', { seconds: result.seconds.toFixed(2) })}</span>}
        <span className={styles.when}>
          <Time unixSeconds={Math.floor(result.at / 1000)} />
        </span>
      </>
    )
  }
}

/** Price, last request and last error of a model. */
function FactLine({ facts: { price, isUnpriced, usedAt, error } }: { facts: ModelFacts }) {
  const { t } = useTranslation('channels')
  return (
    <p className={styles.facts}>
      {isUnpriced ? (
        <StatusTag tone="warn">{t('test.unpriced')}</StatusTag>
      ) : (
        price && <span className="number">{priceText(price)}</span>
      )}
      {usedAt !== undefined && (
        <span>
          {t('test.used')} <Time unixSeconds={usedAt} />
        </span>
      )}
      {error && (
        <span className={styles.lastError} title={error.content}>
          {t('test.lastError', { error: error.error_code || error.content })} <Time unixSeconds={error.created_at} />
        </span>
      )}
    </p>
  )

  function priceText({ quota_type: type, model_price: perRequest, rates }: PricedModel): string {
    if (type === 1) return t('test.perRequest', { price: dollars(perRequest, 2, 6) })
    const [input, output] = [rates?.input, rates?.output].map((rate) =>
      rate === undefined ? '–' : dollars(rate, 2, 6),
    )
    return t('test.perTokens', { input, output })
  }
}
