import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../ui/status-tag.tsx'

/** What a group multiplies prices with; the dearer, the warmer. */
export function GroupRatio({ ratio }: { ratio: number }) {
  const { t } = useTranslation('tokens')
  return (
    <StatusTag tone={toneOf(ratio)} plain>
      {t('ratio', { ratio })}
    </StatusTag>
  )
}

function toneOf(ratio: number): Tone {
  if (ratio > 5) return 'bad'
  if (ratio > 3) return 'warn'
  return ratio > 1 ? 'info' : 'good'
}
