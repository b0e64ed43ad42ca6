import { BlockOutlined, WarningOutlined } from '@ant-design/icons'
import { isRoot, type ShadowSummary } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { formatCount, sumDecimals } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Alert, Button } from '../../ui/kit/index.ts'
import { PopoverButton } from '../../ui/overlay/popover-button.tsx'
import { useSetShadow } from './api.ts'
import { Charge, ChargeDifference } from './cells.tsx'
import { formatPart } from './comparison.ts'
import { rejectionText } from './rejection-reasons.ts'
import { IMPORT_COMMAND } from './setup-commands.ts'
import styles from './shadow.module.css'

/** The numbers of the period. */
export function Tiles({ summary }: { summary: ShadowSummary }) {
  const { t } = useTranslation('shadow')
  const { calls, matched, dropped } = summary
  const rejected = summary.refused.reduce((sum, reason) => sum + reason.calls, 0)
  const [old, ours] = matched === 0 ? [null, null] : [summary.old_quota, summary.would_quota]
  // Amounts from a dollar on have cents, also a small difference of them.
  const decimals = sumDecimals(Math.max(old ?? 0, ours ?? 0)) === 2 ? 2 : undefined
  return (
    <dl className={styles.tiles} aria-label={t('summary.label')}>
      <Tile name={t('summary.calls')}>{formatCount(calls)}</Tile>
      <Tile
        name={t('summary.refused')}
        note={rejected > 0 && t('summary.ofCalls', { share: formatPart(rejected, calls) })}
      >
        <Rejections reasons={summary.refused} total={rejected} />
      </Tile>
      <Tile name={t('summary.matched')} note={t('summary.ofCalls', { share: formatPart(matched, calls) })}>
        {formatCount(matched)}
      </Tile>
      <Tile name={t('summary.old')}>
        <Charge quota={old} kind="sum" decimals={decimals} />
      </Tile>
      <Tile name={t('summary.ours')}>
        <Charge quota={ours} kind="sum" decimals={decimals} />
      </Tile>
      <Tile name={t('summary.difference')} note={t('summary.comparedHint')}>
        <ChargeDifference old={old} ours={ours} kind="sum" decimals={decimals} />
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
      {note && (
        <dd className={styles.tileNote} title={note}>
          {note}
        </dd>
      )}
    </div>
  )
}

const TILES = [0, 1, 2, 3, 4, 5]

export function LoadingTiles() {
  const { t } = useTranslation()
  return (
    <output className={styles.tiles} aria-label={t('loading')} data-late>
      {TILES.map((tile) => (
        <div key={tile} className={styles.tile}>
          <SkeletonLines lines={3} />
        </div>
      ))}
    </output>
  )
}

interface RejectionsProps {
  reasons: ShadowSummary['refused']
  total: number
}

/** The number of rejections. A click opens their reasons. */
function Rejections({ reasons, total }: RejectionsProps) {
  const { t } = useTranslation('shadow')
  if (total === 0) return '0'
  return (
    <PopoverButton
      className={styles.rejections}
      label={t('summary.showRefused', { count: formatCount(total) })}
      title={t('summary.refusedTitle')}
      content={<Reasons reasons={reasons} />}
    >
      {formatCount(total)}
    </PopoverButton>
  )
}

function Reasons({ reasons }: Pick<RejectionsProps, 'reasons'>) {
  const { t } = useTranslation('shadow')
  return (
    <ul className={styles.reasons}>
      {reasons.map(({ code, calls }) => {
        const text = rejectionText(code, t)
        return (
          <li key={code}>
            <span>
              {text !== code && text}
              <code className={`mono secondary ${styles.reasonCode}`}>{code}</code>
            </span>
            <span className="number">{t('callCount', { count: formatCount(calls) })}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Explains what is missing before requests arrive. */
export function NoRequests({ summary: { enabled } }: { summary: ShadowSummary }) {
  const { t } = useTranslation('shadow')
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  const set = useSetShadow()
  const kind = enabled ? 'nothing' : mayChange ? 'off' : 'offNotRoot'
  return (
    <section className={styles.panel}>
      <EmptyState
        icon={<BlockOutlined aria-hidden />}
        title={t(`empty.${kind}.title`)}
        hint={t(`empty.${kind}.hint`)}
        guide={enabled ? 'guides/shadow-mode#when-it-fails' : 'guides/shadow-mode#set-it-up'}
        action={
          kind === 'off' && (
            <Button type="primary" loading={set.isPending} onClick={() => set.mutate({ enabled: true })}>
              {t('empty.switchOn')}
            </Button>
          )
        }
      />
    </section>
  )
}

interface MatchProps {
  matched: number
  left: number
  onClose(): void
}

/** The result of a comparison with the old log. It stays open, because it contains the next step. */
export function MatchResult({ matched, left, onClose }: MatchProps) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  return (
    <Alert
      className={styles.alert}
      type={left === 0 ? 'success' : 'info'}
      showIcon
      title={t('match.done', { matched: formatCount(matched), left: formatCount(left) })}
      description={left > 0 && <ImportCommand text={t('match.leftHint')} />}
      closable={{ 'aria-label': common('close'), onClose }}
    />
  )
}

/** Explains how to compare requests with the old log. */
export function UnmatchedNote() {
  const { t } = useTranslation('shadow')
  return (
    <Alert
      className={styles.alert}
      role="note"
      type="info"
      showIcon
      title={t('unmatched.title')}
      description={<ImportCommand text={t('unmatched.text')} />}
    />
  )
}

function ImportCommand({ text }: { text: string }) {
  const { t } = useTranslation('shadow')
  return (
    <>
      <p className={styles.alertText}>{text}</p>
      <span className={styles.copied}>
        <code className={`mono ${styles.command}`}>
          {IMPORT_COMMAND.split(' ').map((part) => (
            <span key={part}>{part} </span>
          ))}
        </code>
        <CopyButton text={IMPORT_COMMAND} label={t('unmatched.copy')} />
      </span>
    </>
  )
}
