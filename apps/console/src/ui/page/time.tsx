import { useTranslation } from 'react-i18next'
import { formatExactTime, formatRecentTime, formatRelativeTime, formatRowTime } from '../../lib/format.ts'
import { Tooltip } from '../kit/index.ts'

interface Props {
  unixSeconds: number
  /** Shows day and time, and the relative time on hover. For tables in which users compare rows. */
  exact?: boolean
  /** "3h ago", for the line of a phone. */
  short?: boolean
}

export function Time({ unixSeconds, exact = false, short = false }: Props) {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  const exactly = formatExactTime(unixSeconds)
  return (
    <Tooltip title={exact ? `${exactly} · ${formatRelativeTime(unixSeconds, language)}` : exactly}>
      <time className="number" dateTime={new Date(unixSeconds * 1000).toISOString()}>
        {exact
          ? formatRowTime(unixSeconds, language)
          : formatRecentTime(unixSeconds, language, { style: short ? 'narrow' : 'long' })}
      </time>
    </Tooltip>
  )
}
