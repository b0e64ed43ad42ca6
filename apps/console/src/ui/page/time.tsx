import { useTranslation } from 'react-i18next'
import { formatExactTime, formatRelativeTime, formatRowTime } from '../../lib/format.ts'
import { Tooltip } from '../kit/index.ts'

interface Props {
  unixSeconds: number
  /** Shows the exact time, and the relative time on hover. For tables in which users compare rows. */
  exact?: boolean
}

export function Time({ unixSeconds, exact = false }: Props) {
  const { i18n } = useTranslation()
  const exactly = formatExactTime(unixSeconds)
  const relatively = formatRelativeTime(unixSeconds, i18n.resolvedLanguage ?? 'en')
  return (
    <Tooltip title={exact ? `${exactly} · ${relatively}` : exactly}>
      <time className="number" dateTime={new Date(unixSeconds * 1000).toISOString()}>
        {exact ? formatRowTime(unixSeconds) : relatively}
      </time>
    </Tooltip>
  )
}
