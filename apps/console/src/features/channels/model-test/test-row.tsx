import { LoadingOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './model-tests.module.css'
import type { KeptResult } from './test-memory.ts'

interface Props {
  model: string
  result: KeptResult | undefined
  running: boolean
  disabled: boolean
  onTest(): void
}

/** One model, how it did, and a button to try it. */
export function TestRow({ model, result, running, disabled, onTest }: Props) {
  const { t } = useTranslation('channels')
  return (
    <li className={styles.row}>
      <span className={styles.model}>
        <span className={`mono ${styles.name}`}>{model}</span>
        <CopyButton text={model} label={t('test.copyOne', { model })} />
      </span>
      <span className={styles.verdict}>{verdict()}</span>
      <Button size="small" disabled={disabled} aria-label={t('test.one', { model })} onClick={onTest}>
        {t('testIt')}
      </Button>
      {result && !result.ok && !running && (
        <p className={styles.message}>{result.message || t('test.requestFailed')}</p>
      )}
    </li>
  )

  function verdict() {
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
