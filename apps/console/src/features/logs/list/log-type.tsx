import { LOG_TYPE } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
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

export function LogType({ type }: { type: number }) {
  const { t } = useTranslation('logs')
  const name = logTypeName(type)
  return (
    <StatusTag tone={TONES[name]} plain={name !== 'error'}>
      {t(`types.${name}`)}
    </StatusTag>
  )
}
