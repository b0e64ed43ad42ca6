import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { Tooltip, type TableProps } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { LogTiming } from './log-timing.tsx'
import { LogType } from './log-type.tsx'
import styles from './logs.module.css'

type Columns = NonNullable<TableProps<UsageLog>['columns']>

export function useLogColumns(wholeSite: boolean): Columns {
  const { t } = useTranslation('logs')
  return useMemo((): Columns => {
    const adminColumns: Columns = [
      { key: 'channel', title: t('columns.channel'), render: (_, log) => shortName(channelName(log)) },
      { key: 'user', title: t('columns.user'), render: (_, { username }) => shortName(username) },
    ]
    return [
      { key: 'time', title: t('columns.time'), render: (_, log) => <Time unixSeconds={log.created_at} exact /> },
      ...(wholeSite ? adminColumns : []),
      { key: 'token', title: t('columns.token'), render: (_, log) => shortName(log.token_name) },
      { key: 'group', title: t('columns.group'), render: (_, log) => log.group },
      { key: 'type', title: t('columns.type'), render: (_, log) => <LogType type={log.type} /> },
      {
        key: 'model',
        title: t('columns.model'),
        render: (_, log) => <span className={`mono ${styles.model}`}>{log.model_name}</span>,
      },
      {
        key: 'duration',
        title: t('columns.duration'),
        render: (_, log) => isCall(log) && <LogTiming log={log} />,
      },
      {
        key: 'tokens',
        title: t('columns.tokens'),
        align: 'right',
        // Both number columns stay in view: a figure whose last digits are cut off reads as another figure.
        fixed: 'right',
        render: (_, log) => tokenCounts(log),
      },
      {
        key: 'quota',
        title: t('columns.quota'),
        align: 'right',
        fixed: 'right',
        render: (_, log) => log.type === LOG_TYPE.consumption && <Money quota={log.quota} kind="call" />,
      },
    ]
  }, [t, wholeSite])
}

/** Only calls have a duration; a top-up has not. */
export const isCall = ({ type }: UsageLog): boolean => type === LOG_TYPE.consumption || type === LOG_TYPE.error

function tokenCounts(log: UsageLog) {
  if (log.type !== LOG_TYPE.consumption) return null
  return (
    <span className="number">
      {formatCount(log.prompt_tokens)} / {formatCount(log.completion_tokens)}
    </span>
  )
}

function shortName(name: string) {
  return (
    <Tooltip title={name.length > 12 ? name : ''}>
      <span className={styles.name}>{name}</span>
    </Tooltip>
  )
}

export function channelName({ channel, channel_name: name }: UsageLog): string {
  if (channel === 0) return ''
  return name ? `${channel} · ${name}` : String(channel)
}
