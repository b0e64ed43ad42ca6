import type { UsageLog } from '@tidegate/contract/api'
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../ui/status-tag.tsx'
import { readDetails } from './log-details.ts'
import styles from './logs.module.css'

/** How long the call took, how long until its first word, and whether it was streamed. */
export function LogTiming({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const firstToken = readDetails(log).firstTokenMilliseconds
  return (
    <span className={styles.stack}>
      <StatusTag tone={totalTone(log.use_time)} plain>
        <span className="number">{t('seconds', { value: log.use_time })}</span>
      </StatusTag>
      {log.is_stream && firstToken !== null && (
        <Tooltip title={t('firstToken')}>
          <span>
            <StatusTag tone={firstTokenTone(firstToken)} plain>
              <span className="visually-hidden">{t('firstToken')}</span>
              <span className="number">{t('seconds', { value: (firstToken / 1000).toFixed(2) })}</span>
            </StatusTag>
          </span>
        </Tooltip>
      )}
      {log.is_stream && (
        <StatusTag tone="info" plain>
          {t('stream')}
        </StatusTag>
      )}
    </span>
  )
}

export function totalTone(seconds: number): Tone {
  if (seconds < 101) return 'good'
  return seconds < 300 ? 'warn' : 'bad'
}

export function firstTokenTone(milliseconds: number): Tone {
  if (milliseconds < 3000) return 'good'
  return milliseconds < 10_000 ? 'warn' : 'bad'
}
