import { SearchOutlined } from '@ant-design/icons'
import type { Channel } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { App, Button, Input, InputNumber, Switch } from '../../../ui/kit/index.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { WorkNotice } from '../../../ui/work-notice.tsx'
import { useUpdateChannel } from '../mutations.ts'
import styles from './model-tests.module.css'
import { CONCURRENCY } from './run-tests.ts'
import { TestRow } from './test-row.tsx'
import { useModelTests } from './use-model-tests.ts'

interface Props {
  channel: Pick<Channel, 'id' | 'name'>
  models: readonly string[]
  /** Models were taken out of the channel. */
  onChanged(): void
}

export function ModelTests({ channel, models, onChanged }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const { message } = App.useApp()
  const confirmDelete = useConfirmDelete()
  const update = useUpdateChannel()
  const tests = useModelTests(channel.id)
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
