import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import styles from './receipt.module.css'

interface Props {
  milliseconds: number
  firstToken: number | null
  isStream: boolean
  /** Failed requests have a neutral colour, because a fast failure is not a good result. */
  failed?: boolean
}

/** Total time, time to first token and streaming of a request. Slow values also have a text label. */
export function CallTiming({ milliseconds, firstToken, isStream, failed = false }: Props) {
  const { t } = useTranslation('logs')
  return (
    <span className={styles.timing}>
      <Band
        label={t('totalTime')}
        tone={failed ? 'neutral' : totalTone(milliseconds)}
        value={t('seconds', { value: seconds(milliseconds) })}
      />
      {isStream && firstToken !== null && (
        <Band
          label={t('firstToken')}
          tone={firstTokenTone(firstToken)}
          value={t('firstTokenShort', { value: (firstToken / 1000).toFixed(2) })}
        />
      )}
      <StatusTag tone={isStream ? 'info' : 'neutral'} plain>
        {isStream ? t('stream') : t('notStream')}
      </StatusTag>
    </span>
  )
}

/** Two decimals below 100 s, like the time to first token. Values that round to zero are shown as `<0.01`. */
function seconds(milliseconds: number): string {
  if (milliseconds >= 100_000) return (milliseconds / 1000).toFixed(0)
  const text = (milliseconds / 1000).toFixed(2)
  return Number(text) === 0 ? '<0.01' : text
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
  if (milliseconds < 101_000) return 'good'
  return milliseconds < 300_000 ? 'warn' : 'bad'
}

export function firstTokenTone(milliseconds: number): Tone {
  if (milliseconds < 3000) return 'good'
  return milliseconds < 10_000 ? 'warn' : 'bad'
}
