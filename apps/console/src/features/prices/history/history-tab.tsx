import { HistoryOutlined, RightOutlined } from '@ant-design/icons'
import type { listOptionHistory, OptionChange, OptionFacts, ReplyOf } from '@tidegate/contract/api'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useId, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { historyQuery, type Options } from '../../../api/options.ts'
import { useStatus } from '../../../api/status.ts'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { formatExactTime } from '../../../lib/format.ts'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { choiceFilter, defineFilters, textFilter, useFilters } from '../../../ui/filters/define-filters.ts'
import { Filters } from '../../../ui/filters/filters.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { usdPerRatio, type BuiltInRatios } from '../amounts.ts'
import { changedGroups, readGroups } from '../groups.ts'
import type { ModelRow } from '../model-rows.ts'
import { Review, useReviewLines, type ReviewLine } from '../review.tsx'
import type { PriceDraft } from '../use-price-draft.ts'
import styles from './history.module.css'
import {
  HISTORY_KEYS,
  publicationsOf,
  publishedModels,
  reversalOf,
  type Publication,
  type Reversal,
} from './publications.ts'

const FILTERS = defineFilters({ keyword: textFilter(), actor: choiceFilter() })

/** Renders the stored values of a change, which are ratios. */
export type RenderRawChange = (change: OptionChange, facts: OptionFacts | undefined) => ReactNode

interface Props {
  draft: PriceDraft
  options: Options
  rows: readonly ModelRow[] | undefined
  renderRaw: RenderRawChange
  /** Called when old prices were entered into the draft. */
  onRevert(count: number): void
}

/** Published prices in dollars, newest first. Old prices can be entered into the draft again. */
export function HistoryTab({ draft, options, rows, renderRaw, onRevert }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const filters = useFilters(FILTERS, { replace: true })
  const { changes, isCut, error, isPending, retry } = useQueries({
    queries: HISTORY_KEYS.map((key) => historyQuery(key, 1)),
    combine: combineHistories,
  })
  const entries = useEntries({ changes, options, rows, draft })
  if (error) return <LoadError title={common('errors.loadFailed')} error={error} retrying={false} onRetry={retry} />
  if (isPending || !entries) return <SkeletonRows rows={8} />
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<HistoryOutlined aria-hidden />}
        title={t('prices.history.empty')}
        hint={t('prices.history.emptyHint')}
        guide="guides/price-models#set-a-price"
      />
    )
  }
  const revert = ({ prices, groups, count }: Reversal) => {
    draft.enter(prices)
    if (groups) draft.setGroups(groups)
    onRevert(count)
  }
  const keyword = filters.values.keyword.toLowerCase()
  const { actor } = filters.values
  const actors = [...new Set(entries.map(({ publication }) => actorName(publication)))].toSorted()
  const found = entries.filter(
    ({ publication, lines }) =>
      (actor === '' || actorName(publication) === actor) &&
      lines.some(({ name }) => name.toLowerCase().includes(keyword)),
  )
  return (
    <>
      <Filters
        filters={filters}
        fields={{
          keyword: { label: t('prices.history.search') },
          actor: {
            label: t('prices.history.actor'),
            wide: true,
            options: actors.map((name) => ({ value: name, label: name })),
          },
        }}
      />
      <p className={styles.note}>{t('prices.card.hint')}</p>
      {found.length === 0 && (
        <EmptyState
          title={t('prices.history.nothing')}
          action={<Button onClick={filters.clear}>{t('prices.empty.clear')}</Button>}
        />
      )}
      <ol className={styles.list}>
        {found.map((entry) => (
          <PublicationCard
            key={entry.publication.id}
            entry={entry}
            actor={actorName(entry.publication)}
            isNewest={entry === entries[0]}
            onRevert={() => revert(entry.reversal)}
          >
            {entry.publication.changes.map((change) => (
              <div key={change.id}>{renderRaw(change, options.facts.get(change.key))}</div>
            ))}
          </PublicationCard>
        ))}
      </ol>
      {isCut && <p className={styles.note}>{t('prices.history.older')}</p>}
    </>
  )

  function actorName({ actor: name, actorId }: Publication): string {
    return actorId === 0 ? t('history.system') : name || `#${actorId}`
  }
}

/** Changes of all price options. Older ones than the first page of each option are left out. */
function combineHistories(histories: readonly UseQueryResult<ReplyOf<typeof listOptionHistory>>[]) {
  const pages = histories.flatMap(({ data }) => data ?? [])
  const oldest = pages.flatMap(({ items, total }) => (total > items.length ? (items.at(-1)?.created_at ?? []) : []))
  return {
    changes: pages.flatMap(({ items }) => items).filter(({ created_at }) => created_at >= Math.max(0, ...oldest)),
    isCut: oldest.length > 0,
    error: histories.find((history) => history.error)?.error ?? null,
    isPending: pages.length < histories.length,
    retry: () => Promise.all(histories.map((history) => history.refetch())),
  }
}

interface Entry {
  publication: Publication
  /** Of groups and of models that a channel serves, or all lines if there are no such models. */
  lines: ReviewLine[]
  /** Models that it changed. */
  count: number
  /** Of these, models without a channel, which are not listed: the built-in list has hundreds. */
  others: number
  reversal: Reversal
}

type Sources = Pick<Props, 'draft' | 'options' | 'rows'> & { changes: readonly OptionChange[] }

/** Undefined until the prices of the models are known. */
function useEntries({ changes, options: { texts }, rows, draft: { stored, groups } }: Sources): Entry[] | undefined {
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const linesOf = useReviewLines()
  return useMemo(() => {
    if (!rows) return undefined
    const byModel = new Map(rows.map((row) => [row.name, row]))
    /** Own ratios hide the built-in ones, which are then unknown. */
    const builtInOf = (name: string): BuiltInRatios => {
      const { completion, cache, cacheWrite } = byModel.get(name)?.builtIn ?? {}
      const own = stored.get(name) ?? {}
      return {
        completion: own.completion === undefined ? completion : undefined,
        cache: own.cache === undefined ? cache : undefined,
        cacheWrite,
      }
    }
    return publicationsOf(changes, texts)
      .map((publication): Entry => {
        const models = publishedModels(publication, builtInOf, usdPerRatio(quotaPerUnit))
        const offered = models.filter(({ name }) => byModel.get(name)?.isOffered)
        const listed = models.length <= FEW_MODELS || offered.length === 0 ? models : offered
        const [before, after] = [readGroups(publication.before), readGroups(publication.after)]
        return {
          publication,
          lines: linesOf(listed, changedGroups(publication.before, after), before, after),
          count: models.length,
          others: models.length - listed.length,
          reversal: reversalOf(publication, stored, groups),
        }
      })
      .filter(({ lines }) => lines.length > 0)
  }, [changes, texts, rows, stored, groups, quotaPerUnit, linesOf])
}

/** Changes of so few models are listed in full. */
const FEW_MODELS = 12

/** The table of a large publication starts with this number of lines. */
const FIRST_LINES = 30

interface CardProps {
  entry: Entry
  actor: string
  /** Its new prices apply now. */
  isNewest: boolean
  onRevert(): void
  /** Raw values. */
  children: ReactNode
}

function PublicationCard({ entry, actor, isNewest, onRevert, children }: CardProps) {
  const { t } = useTranslation('settings')
  const [isOpen, setIsOpen] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const id = useId()
  const { publication, lines, count, others, reversal } = entry
  const { time, way } = publication
  const first = lines[0]!
  const hidden = showsAll ? 0 : Math.max(0, lines.length - FIRST_LINES)
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <RightOutlined aria-hidden rotate={isOpen ? 90 : 0} className={styles.arrow} />
          <span className={styles.summary}>
            {others > 0 ? (
              <>
                <strong>{t('prices.history.models', { count })}</strong>
                <span className="secondary">{t('prices.history.served', { count: count - others })}</span>
              </>
            ) : (
              <>
                <span className="mono">{first.name}</span>
                <span className="secondary">{first.what}</span>
                <span className="number">
                  {first.before} → <strong>{first.after}</strong>
                </span>
                {lines.length > 1 && (
                  <span className={styles.more}>{t('prices.history.more', { count: lines.length - 1 })}</span>
                )}
              </>
            )}
          </span>
          <span className={styles.who}>
            {isNewest && <StatusTag tone="good">{t('prices.history.current')}</StatusTag>}
            <span>{actor}</span>
            <Time unixSeconds={time} />
            {way !== 'edit' && (
              <StatusTag tone="info" plain>
                {t(`history.ways.${way}`)}
              </StatusTag>
            )}
          </span>
        </button>
        {reversal.count > 0 ? (
          <Button
            aria-label={t('prices.history.revertOf', { time: formatExactTime(time) })}
            title={t('prices.history.revertHint')}
            onClick={onRevert}
          >
            {t('prices.history.revert')}
          </Button>
        ) : (
          <span className={styles.current}>{t('prices.history.isCurrent')}</span>
        )}
      </div>
      {isOpen && (
        <div id={id} className={styles.body}>
          <Review lines={lines.slice(0, lines.length - hidden)} isPast />
          {hidden > 0 && (
            <Button type="link" size="small" className={styles.all} onClick={() => setShowsAll(true)}>
              {t('history.moreChanges', { count: hidden })}
            </Button>
          )}
          {others > 0 && <p className={styles.others}>{t('prices.history.othersHint', { count: others })}</p>}
          <details className={styles.raw}>
            <summary>{t('prices.history.raw')}</summary>
            {children}
          </details>
        </div>
      )}
    </li>
  )
}
