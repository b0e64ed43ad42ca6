import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { isChannelTest } from '../../../lib/receipt/fields.ts'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'

type LogTypeName = keyof typeof LOG_TYPE

export const LOG_TYPE_NAMES = Object.keys(LOG_TYPE) as LogTypeName[]

const TONES: Record<LogTypeName | 'unknown', Tone> = {
  topUp: 'good',
  consumption: 'neutral',
  admin: 'warn',
  system: 'info',
  checkIn: 'good',
  error: 'bad',
  unknown: 'neutral',
}

export const logTypeName = (type: number): LogTypeName | 'unknown' =>
  LOG_TYPE_NAMES.find((name) => LOG_TYPE[name] === type) ?? 'unknown'

export function LogType({ log }: { log: Pick<UsageLog, 'type' | 'other'> }) {
  const { t } = useTranslation('logs')
  if (isChannelTest(log)) return <StatusTag tone="info">{t('types.test')}</StatusTag>
  const name = logTypeName(log.type)
  return (
    <StatusTag tone={TONES[name]} plain={name !== 'error'}>
      {t(`types.${name}`)}
    </StatusTag>
  )
}
