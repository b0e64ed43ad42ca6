import { useTranslation } from 'react-i18next'
import { formatSeconds } from '../../lib/format.ts'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import styles from './receipt.module.css'

interface Props {
  milliseconds: number
  firstToken: number | null
  isStream: boolean
}

/** Total time, time to first token and streaming of a request. Only slow values have a colour, and a text label. */
export function CallTiming({ milliseconds, firstToken, isStream }: Props) {
  const { t } = useTranslation('logs')
  return (
    <span className={styles.timing}>
      <Band label={t('totalTime')} tone={totalTone(milliseconds)} value={formatSeconds(milliseconds)} />
      {isStream && firstToken !== null && (
        <Band
          label={t('firstToken')}
          tone={firstTokenTone(firstToken)}
          value={t('firstTokenShort', { time: formatSeconds(firstToken) })}
        />
      )}
      <StatusTag tone="neutral" plain>
        {isStream ? t('stream') : t('notStream')}
      </StatusTag>
    </span>
  )
}

/** Uses a `title` attribute, because Ant Design tooltips are slow in long tables. */
function Band({ label, tone, value }: { label: string; tone: Tone; value: string }) {
  const { t } = useTranslation('logs')
  const isSlow = tone === 'warn' || tone === 'bad'
  return (
    <span title={isSlow ? `${label} · ${t(`slow.${tone}`)}` : label}>
      <StatusTag tone={tone} plain={!isSlow}>
        <span className="visually-hidden">{isSlow ? `${label} ${t(`slow.${tone}`)} ` : `${label} `}</span>
        <span className="number">{value}</span>
      </StatusTag>
    </span>
  )
}

export function totalTone(milliseconds: number): Tone {
  if (milliseconds < 101_000) return 'neutral'
  return milliseconds < 300_000 ? 'warn' : 'bad'
}

export function firstTokenTone(milliseconds: number): Tone {
  if (milliseconds < 3000) return 'neutral'
  return milliseconds < 10_000 ? 'warn' : 'bad'
}
