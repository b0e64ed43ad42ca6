import { DownOutlined } from '@ant-design/icons'
import type { Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Money } from '../../../ui/money.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import styles from '../channels.module.css'
import {
  Balance,
  ChannelNumber,
  groupsOf,
  GroupTags,
  ModelNames,
  modelsOf,
  ResponseTime,
  TagNumber,
  TypeName,
} from './cells.tsx'
import { HealthCell } from './health-cell.tsx'
import { KeyCount, KeyStates } from './key-states.tsx'
import { rowKey, type ListRow, type TagRow } from './list-rows.ts'
import { useTagName } from './use-tag-name.ts'
import { MoreButton } from './name-cell.tsx'
import { ChannelActionButtons, TagActionButtons } from './row-actions.tsx'
import { ChannelStatus, TagStatus } from './status-cell.tsx'

interface Props {
  row: ListRow
  open: boolean
  onToggle(): void
}

export function ListCard({ row, open, onToggle }: Props) {
  if (row.kind === 'channel') return <ChannelCard channel={row.channel} />
  return row.kind === 'tag' ? <TagCard row={row} open={open} onToggle={onToggle} /> : <MoreButton row={row} />
}

function ChannelCard({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { id, name, type, tag } = channel
  return (
    <RowCard
      title={name}
      aside={<ChannelStatus channel={channel} />}
      actions={<ChannelActionButtons channel={channel} />}
    >
      <ModelNames models={modelsOf(channel)} owner={name} />
      <div className={styles.flush}>
        <Facts
          facts={[
            { term: t('columns.health'), value: <HealthCell ids={[id]} name={name} /> },
            {
              term: t('columns.responseTime'),
              value: <ResponseTime milliseconds={channel.response_time} testedAt={channel.test_time} />,
            },
            { term: t('columns.type'), value: <TypeName type={type} /> },
            { term: t('columns.group'), value: <GroupTags groups={groupsOf(channel)} /> },
            { term: t('columns.used'), value: <Money quota={channel.used_quota} /> },
            { term: t('columns.balance'), value: <Balance channel={channel} /> },
            { term: t('columns.priority'), value: <ChannelNumber channel={channel} field="priority" align="start" /> },
            { term: t('columns.weight'), value: <ChannelNumber channel={channel} field="weight" align="start" /> },
            { term: t('columns.keys'), value: <KeyStates channel={channel} /> },
            { term: t('columns.id'), value: <span className="number">{id}</span> },
            ...(tag ? [{ term: t('columns.tag'), value: tag }] : []),
          ]}
        />
      </div>
    </RowCard>
  )
}

function TagCard({ row, open, onToggle }: { row: TagRow; open: boolean; onToggle(): void }) {
  const { t } = useTranslation('channels')
  const name = useTagName()(row)
  return (
    <RowCard title={name} aside={<TagStatus row={row} />}>
      <div className={styles.flush}>
        <Facts
          facts={[
            {
              term: t('columns.health'),
              value: <HealthCell ids={row.channels.map(({ id }) => id)} name={name} />,
            },
            { term: t('columns.responseTime'), value: <ResponseTime milliseconds={row.responseTime} /> },
            { term: t('columns.used'), value: <Money quota={row.usedQuota} /> },
            { term: t('columns.balance'), value: <span className="number">{dollars(row.balance, 2, 2)}</span> },
            { term: t('columns.priority'), value: <TagNumber row={row} field="priority" align="start" /> },
            { term: t('columns.weight'), value: <TagNumber row={row} field="weight" align="start" /> },
            { term: t('columns.keys'), value: <KeyCount total={row.keyCount} disabled={row.disabledKeyCount} /> },
            { term: t('columns.group'), value: <GroupTags groups={row.groups} /> },
          ]}
        />
      </div>
      <span className={styles.cardActions}>
        <TagActionButtons tag={row.tag} />
      </span>
      <Button
        type="text"
        aria-expanded={open}
        icon={<DownOutlined aria-hidden rotate={open ? 180 : 0} />}
        iconPlacement="end"
        onClick={onToggle}
      >
        {t(open ? 'tag.hide' : 'tag.show', { count: row.channels.length })}
      </Button>
      {open && (
        <ul className={styles.nested}>
          {row.children.map((child) => (
            <li key={rowKey(child)}>
              <ListCard row={child} open={false} onToggle={() => {}} />
            </li>
          ))}
        </ul>
      )}
    </RowCard>
  )
}
