import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { isChannelTest } from '../../../lib/receipt/fields.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { RowCard } from '../../../ui/row-card.tsx'
import { Time } from '../../../ui/time.tsx'
import { LogDetails } from '../details/log-details.tsx'
import styles from './list.module.css'
import { CopyName, Cost, isCall, ModelName, Timing, Words } from './cells.tsx'
import { LogType } from './log-type.tsx'
import { UserCell } from './user-cell.tsx'

interface Props {
  log: UsageLog
  wholeSite: boolean
}

/** On a phone: which model and what it cost on top, or what happened where there was no call. */
export function LogCard({ log, wholeSite }: Props) {
  const { t } = useTranslation('logs')
  const [open, setOpen] = useState(false)
  const isConsumption = log.type === LOG_TYPE.consumption
  return (
    <RowCard
      title={log.model_name ? <ModelName log={log} /> : <LogType log={log} />}
      aside={<Cost log={log} />}
      actions={
        <Button size="small" type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('details.hide') : t('details.show')}
        </Button>
      }
    >
      {isCall(log) && (
        <span className={styles.cardTags}>
          {(!isConsumption || isChannelTest(log)) && <LogType log={log} />}
          <Timing log={log} />
        </span>
      )}
      {!isConsumption && <Words log={log} />}
      <Facts facts={facts()} />
      {open && <LogDetails log={log} wholeSite={wholeSite} onCard />}
    </RowCard>
  )

  function facts() {
    return [
      { term: t('columns.time'), value: <Time unixSeconds={log.created_at} exact /> },
      ...(isConsumption
        ? [
            {
              term: t('inputOutput'),
              value: (
                <span className="number">
                  {formatCount(log.prompt_tokens)} / {formatCount(log.completion_tokens)}
                </span>
              ),
            },
          ]
        : []),
      ...(log.token_name ? [{ term: t('columns.token'), value: <CopyName name={log.token_name} /> }] : []),
      ...(wholeSite && log.username ? [{ term: t('columns.user'), value: <UserCell log={log} /> }] : []),
      ...(wholeSite && log.channel > 0
        ? [{ term: t('columns.channel'), value: `#${log.channel} ${log.channel_name}` }]
        : []),
    ]
  }
}
