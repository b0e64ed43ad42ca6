import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import styles from './receipt.module.css'

interface Props {
  milliseconds: number
  firstToken: number | null
  isStream: boolean
  /** A fast failure is nothing good: its time has no colour. */
  failed?: boolean
}

/** How long a call took, how long until its first word, and whether it was streamed. Slow ones say so in a word too. */
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

/** Two decimals, as the time to the first token has them, and none from 100 s on. The least is one hundredth. */
function seconds(milliseconds: number): string {
  if (milliseconds >= 100_000) return (milliseconds / 1000).toFixed(0)
  const written = (milliseconds / 1000).toFixed(2)
  return Number(written) === 0 ? '<0.01' : written
}

/** A plain title: the kit's tooltips, two in each of a hundred rows, would be felt. */
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
