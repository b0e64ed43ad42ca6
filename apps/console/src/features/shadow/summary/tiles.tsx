import { WarningOutlined } from '@ant-design/icons'
import type { ShadowSummary } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Skeleton } from '../../../ui/kit/index.ts'
import { Charge, ChargeDifference } from '../amounts.tsx'
import { formatPart } from '../difference.ts'
import styles from '../shadow.module.css'
import { RefusedCalls } from './refused-calls.tsx'

/** The period in figures. */
export function Tiles({ summary }: { summary: ShadowSummary }) {
  const { t } = useTranslation('shadow')
  const { calls, matched, dropped } = summary
  const refused = summary.refused.reduce((sum, reason) => sum + reason.calls, 0)
  const [old, ours] = matched === 0 ? [null, null] : [summary.old_quota, summary.would_quota]
  return (
    <dl className={styles.tiles} aria-label={t('summary.label')}>
      <Tile name={t('summary.calls')}>{formatCount(calls)}</Tile>
      <Tile
        name={t('summary.refused')}
        note={refused > 0 && t('summary.ofCalls', { share: formatPart(refused, calls) })}
      >
        <RefusedCalls reasons={summary.refused} total={refused} />
      </Tile>
      <Tile name={t('summary.matched')} note={t('summary.ofCalls', { share: formatPart(matched, calls) })}>
        {formatCount(matched)}
      </Tile>
      <Tile name={t('summary.old')}>
        <Charge quota={old} kind="sum" />
      </Tile>
      <Tile name={t('summary.ours')}>
        <Charge quota={ours} kind="sum" />
      </Tile>
      <Tile name={t('summary.difference')} note={t('summary.comparedHint')}>
        <ChargeDifference old={old} ours={ours} kind="sum" />
      </Tile>
      {dropped > 0 && (
        <Tile name={t('summary.dropped')} note={t('summary.droppedHint')} tone="warn">
          <WarningOutlined aria-hidden /> {formatCount(dropped)}
        </Tile>
      )}
    </dl>
  )
}

interface TileProps {
  name: string
  note?: string | false
  tone?: 'warn'
  children: ReactNode
}

function Tile({ name, note, tone, children }: TileProps) {
  return (
    <div className={styles.tile} data-tone={tone}>
      <dt>{name}</dt>
      <dd className={`number ${styles.tileValue}`}>{children}</dd>
      {note && <dd className={styles.tileNote}>{note}</dd>}
    </div>
  )
}

const USUAL_TILES = [0, 1, 2, 3, 4, 5]

export function LoadingTiles() {
  const { t } = useTranslation()
  return (
    <output className={styles.tiles} aria-label={t('loading')} data-late>
      {USUAL_TILES.map((tile) => (
        <div key={tile} className={styles.tile}>
          <Skeleton active title={false} paragraph={{ rows: 3, width: ['60%', '80%', '40%'] }} />
        </div>
      ))}
    </output>
  )
}
