import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { RowCard } from '../../ui/row-card.tsx'
import { Time } from '../../ui/time.tsx'
import { LogExpansion } from './log-expansion.tsx'
import { LogTiming } from './log-timing.tsx'
import { LogType } from './log-type.tsx'
import { channelName, isCall } from './use-log-columns.tsx'

export function LogCard({ log, wholeSite }: { log: UsageLog; wholeSite: boolean }) {
  const { t } = useTranslation('logs')
  const [open, setOpen] = useState(false)
  const isConsumption = log.type === LOG_TYPE.consumption
  return (
    <RowCard
      title={log.model_name ? <span className="mono">{log.model_name}</span> : <LogType type={log.type} />}
      aside={isConsumption && <Money quota={log.quota} kind="call" />}
      actions={
        <Button size="small" type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('details.hide') : t('details.show')}
        </Button>
      }
    >
      {isCall(log) && <LogTiming log={log} />}
      <Facts
        facts={[
          { term: t('columns.time'), value: <Time unixSeconds={log.created_at} exact /> },
          ...(log.model_name ? [{ term: t('columns.type'), value: <LogType type={log.type} /> }] : []),
          ...(isConsumption
            ? [
                { term: t('columns.prompt'), value: formatCount(log.prompt_tokens) },
                { term: t('columns.completion'), value: formatCount(log.completion_tokens) },
              ]
            : []),
          ...(log.token_name ? [{ term: t('columns.token'), value: log.token_name }] : []),
          ...(wholeSite && log.username ? [{ term: t('columns.user'), value: log.username }] : []),
          ...(wholeSite && log.channel > 0 ? [{ term: t('columns.channel'), value: channelName(log) }] : []),
        ]}
      />
      {open && <LogExpansion log={log} />}
    </RowCard>
  )
}
