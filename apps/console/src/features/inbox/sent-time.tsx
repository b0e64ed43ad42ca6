import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../lib/format.ts'
import { Tooltip } from '../../ui/kit/index.ts'
import { messageTime } from './message-time.ts'

/** When a message came, in as few words as tell it; pointing at it tells it exactly. */
export function SentTime({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const time = new Date(at)
  return (
    <Tooltip title={formatExactTime(time.getTime() / 1000)}>
      <time className="number" dateTime={at}>
        {messageTime(time, i18n.resolvedLanguage ?? 'en')}
      </time>
    </Tooltip>
  )
}
