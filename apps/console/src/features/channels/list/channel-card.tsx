import type { Channel } from '@tidegate/contract/api'
import { DownOutlined } from '@ant-design/icons'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorLabel } from '../../../components/error-label.ts'
import { healthState, SuccessShare } from '../../../components/health-strip.tsx'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import styles from '../channels.module.css'
import { RowActions, TagActions, useActions } from './actions.tsx'
import { Billed, ChannelNumber, ChannelState, currentError, stateOf, StatsContext, TagStatus } from './cells.tsx'
import { MoreButton } from './columns.tsx'
import { rowKey, useTagName, type ListRow, type TagRow } from './rows.ts'

interface Props {
  row: ListRow
  open: boolean
  onToggle(): void
}

/** A row on a narrow screen: one line, and a second one only for a current problem. */
export function ListCard({ row, open, onToggle }: Props) {
  if (row.kind === 'channel') return <ChannelCard channel={row.channel} />
  return row.kind === 'tag' ? <TagCard row={row} open={open} onToggle={onToggle} /> : <MoreButton row={row} />
}

function ChannelCard({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const stats = useContext(StatsContext).get(channel.id)
  const error = currentError(channel, stats, useErrorLabel())
  const counts = stats?.last_hour ?? { succeeded: 0, failed: 0 }
  return (
    <article className={styles.card}>
      <div className={styles.cardLine}>
        <ProviderMark type={channel.type} size={24} />
        <ChannelState channel={channel} />
        <button type="button" className={styles.cardName} onClick={() => actions.open(channel.id)}>
          {channel.name}
        </button>
        <span className={styles.cardNumbers}>
          <span className={styles.cardOrder}>
            <ChannelNumber channel={channel} field="priority" />
            <ChannelNumber channel={channel} field="weight" />
          </span>
          <SuccessShare counts={counts} isFailing={stateOf(channel, stats) === 'failing'} />
          {healthState(counts) !== 'idle' && (
            <span className="visually-hidden">{t('healthOf', { name: channel.name })}</span>
          )}
          <span className={styles.cardAmount}>
            <Billed ids={[channel.id]} period="today" />
          </span>
          <RowActions channel={channel} isCard />
        </span>
      </div>
      {error?.isCurrent && <p className={styles.cardError}>{error.label || t('status.noReason')}</p>}
    </article>
  )
}

function TagCard({ row, open, onToggle }: { row: TagRow; open: boolean; onToggle(): void }) {
  const name = useTagName()(row)
  return (
    <article className={styles.card}>
      <div className={styles.cardLine}>
        <ProviderMark type={row.type} size={24} />
        <button type="button" className={styles.cardName} aria-expanded={open} onClick={onToggle}>
          {name} <DownOutlined aria-hidden rotate={open ? 180 : 0} />
        </button>
        <span className={styles.cardNumbers}>
          <TagStatus row={row} />
        </span>
      </div>
      {open && (
        <>
          <TagActions tag={row.tag} />
          <ul className={styles.nested}>
            {row.children.map((child) => (
              <li key={rowKey(child)}>
                <ListCard row={child} open={false} onToggle={() => {}} />
              </li>
            ))}
          </ul>
        </>
      )}
    </article>
  )
}
