import {
  CloseCircleOutlined,
  DownOutlined,
  DollarOutlined,
  InfoCircleOutlined,
  ReloadOutlined,
  TagOutlined,
  TeamOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import * as api from '@tidegate/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { call, callForFinding } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { useMaySetPrices } from '../../api/use-may-set-prices.ts'
import { BrandMotif } from '../../components/brand-motif.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { dollars, formatBalance, formatCount, formatSeconds } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/kit/index.ts'
import { Time } from '../../ui/page/time.tsx'
import { attentionQuery } from './api.ts'
import styles from './dashboard.module.css'
import { useResolve } from './resolve-item.ts'
import { formatShare } from './usage.ts'

type Section = api.Attention[number]
type Kind = Section['kind']
type Item = api.AttentionItem

/** Rows per kind; the rest is behind a link. */
const MAX_ROWS = 2
/** Rows of all kinds that are shown at first. */
const FIRST_ROWS = 5
const RETRIES = 2

const LOOK: Record<Kind, { icon: ReactNode; tone: 'bad' | 'warn' | 'info' }> = {
  channel_failing: { icon: <WarningOutlined aria-hidden />, tone: 'bad' },
  channel_auto_disabled: { icon: <CloseCircleOutlined aria-hidden />, tone: 'bad' },
  model_unpriced: { icon: <TagOutlined aria-hidden />, tone: 'warn' },
  channel_low_balance: { icon: <DollarOutlined aria-hidden />, tone: 'warn' },
  user_low_balance: { icon: <TeamOutlined aria-hidden />, tone: 'warn' },
  error_logging_off: { icon: <InfoCircleOutlined aria-hidden />, tone: 'info' },
  retries_off: { icon: <ReloadOutlined aria-hidden />, tone: 'info' },
}

/** The page with all objects of a kind. */
const LIST_OF: Partial<Record<Kind, string>> = {
  channel_failing: '/admin/channels',
  channel_auto_disabled: '/admin/channels?statuses=3',
  channel_low_balance: '/admin/channels',
  user_low_balance: '/admin/users',
}

/** Problems of the site, the most urgent first. Most can be solved in place. */
export function AttentionCard() {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const attention = useQuery(attentionQuery)
  const [expanded, setExpanded] = useState<ReadonlySet<Kind>>(new Set())
  const total = problemsIn(attention.data ?? [])
  return (
    <section className={styles.attention} aria-labelledby="attention">
      <header className={styles.cardHead}>
        <h2 id="attention" className={styles.cardTitle}>
          {t('attention.title')}
        </h2>
        {total > 0 && <span className={`number ${styles.count}`}>{total}</span>}
      </header>
      {body()}
    </section>
  )

  function body() {
    const { data, error } = attention
    if (!data && error) {
      return <LoadError title={common('errors.loadFailed')} error={error} onRetry={attention.refetch} />
    }
    if (!data) return <SkeletonLines lines={6} className={styles.blankRows} />
    if (data.length === 0) {
      return (
        <div className={styles.clear}>
          <BrandMotif state="clear" />
          <h3 className={styles.clearTitle}>{t('attention.clear.title')}</h3>
          <p className={styles.hint}>{t('attention.clear.hint')}</p>
        </div>
      )
    }
    const first = firstOf(data)
    return data.map((section, index) =>
      index < first || expanded.has(section.kind) || !LIST_OF[section.kind] ? (
        <Problems key={section.kind} section={section} />
      ) : (
        <FoldedProblems
          key={section.kind}
          section={section}
          onOpen={() => setExpanded(new Set([...expanded, section.kind]))}
        />
      ),
    )
  }
}

/** Users without balance are normal on a large site, so they count as one problem. */
const problemsIn = (sections: api.Attention) =>
  sections.reduce((sum, { kind, total }) => sum + (kind === 'user_low_balance' ? 1 : total), 0)

/** The number of the most urgent kinds whose rows are shown at first. */
function firstOf(sections: api.Attention): number {
  let rows = 0
  const end = sections.findIndex((section) => {
    rows += Math.max(1, shownItems(section).length)
    return rows > FIRST_ROWS
  })
  return end < 0 ? sections.length : end
}

/** Kinds without a list have one row. */
const shownItems = ({ kind, items }: Section) => (LIST_OF[kind] ? items.slice(0, MAX_ROWS) : [])

function Problems({ section }: { section: Section }) {
  const { t } = useTranslation('dashboard')
  const { kind, total, items } = section
  const { icon, tone } = LOOK[kind]
  const list = LIST_OF[kind]
  const shown = shownItems(section)
  const more = total - shown.length
  return (
    <section className={styles.problems} aria-label={t(`attention.kinds.${kind}`)}>
      <span className={styles.problemIcon} data-tone={tone}>
        {icon}
      </span>
      <div className={styles.problemBody}>
        <div className={styles.problem}>
          <div className={styles.problemText}>
            <h3 className={styles.problemTitle}>
              {t(`attention.kinds.${kind}`)}
              {total > 1 && <span className={`number ${styles.problemCount}`}> {formatCount(total)}</span>}
            </h3>
            {kind === 'model_unpriced' && (
              <p className={styles.hint}>
                {t('attention.unpricedHint')}{' '}
                <ModelNames models={items.map(({ model }) => model ?? '')} total={total} />
              </p>
            )}
            {kind === 'error_logging_off' && <p className={styles.hint}>{t('attention.loggingHint')}</p>}
            {kind === 'retries_off' && <p className={styles.hint}>{t('attention.retriesHint')}</p>}
          </div>
          {kind === 'model_unpriced' && <SetPrices />}
          {kind === 'error_logging_off' && <TurnOn item={items[0]!} value="true" before="false" />}
          {kind === 'retries_off' && <TurnOn item={items[0]!} value={String(RETRIES)} before="0" />}
        </div>
        {shown.map((item) => (
          <ItemRow key={item.channel_id ?? item.user_id} item={item} />
        ))}
        {list && more > 0 && (
          <Link to={list} className={styles.moreLink}>
            {t('attention.more', { count: more })}
          </Link>
        )}
      </div>
    </section>
  )
}

/** A less urgent kind: one line that opens its rows. */
function FoldedProblems({ section: { kind, total }, onOpen }: { section: Section; onOpen(): void }) {
  const { t } = useTranslation('dashboard')
  const { icon, tone } = LOOK[kind]
  return (
    <button type="button" className={styles.folded} aria-expanded={false} onClick={onOpen}>
      <span className={styles.problemIcon} data-tone={tone}>
        {icon}
      </span>
      <span className={styles.problemText}>
        {t(`attention.kinds.${kind}`)} <span className={`number ${styles.problemCount}`}>{formatCount(total)}</span>
      </span>
      <DownOutlined aria-hidden />
    </button>
  )
}

function ItemRow({ item }: { item: Item }) {
  switch (item.kind) {
    case 'channel_failing':
    case 'channel_auto_disabled':
      return <BrokenChannel item={item} />
    case 'channel_low_balance':
      return <LowChannelBalance item={item} />
    default:
      return <LowUserBalance item={item} />
  }
}

/** A channel that fails or was disabled: test it, enable it, or open it. */
function BrokenChannel({ item }: { item: Item }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const { channel_id: id = 0, channel_name: name = '' } = item
  const resolve = useResolve(item)
  const test = useMutation({ mutationFn: () => callForFinding(api.testChannel, { params: { id } }) })
  const enable = useMutation({
    mutationFn: () => call(api.enableChannels, { body: { ids: [id] } }),
    onSuccess: () =>
      resolve(t('attention.enabled', { name }), () => call(api.disableChannels, { body: { ids: [id] } })),
  })
  return (
    <Row name={name} detail={test.data ? <TestResult result={test.data} /> : <Reason item={item} />}>
      <Button
        size="small"
        loading={test.isPending}
        aria-label={t('attention.testOf', { name })}
        onClick={() => test.mutate()}
      >
        {t('attention.test')}
      </Button>
      {item.kind === 'channel_auto_disabled' ? (
        <Button
          size="small"
          loading={enable.isPending}
          aria-label={t('attention.enableOf', { name })}
          onClick={() => enable.mutate()}
        >
          {t('attention.enable')}
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={t('attention.openOf', { name })}
          onClick={() => void navigate(`/admin/channels?drawer=edit&id=${id}`)}
        >
          {t('attention.open')}
        </Button>
      )}
    </Row>
  )
}

function TestResult({ result: { success, message, time } }: { result: api.ReplyOf<typeof api.testChannel> }) {
  const { t } = useTranslation('dashboard')
  return (
    <output data-tone={success ? 'good' : 'bad'} className={styles.testResult} title={message}>
      {success ? t('attention.passed', { time: formatSeconds((time ?? 0) * 1000) }) : message || t('attention.failed')}
    </output>
  )
}

function Reason({ item }: { item: Item }) {
  const { t } = useTranslation('dashboard')
  if (item.kind === 'channel_auto_disabled') {
    return (
      <>
        <span title={item.reason}>{item.reason || t('attention.noReason')}</span>
        {item.time !== undefined && (
          <>
            {' · '}
            <Time unixSeconds={item.time} />
          </>
        )}
      </>
    )
  }
  const { attempts = 0, failed = 0 } = item
  return <>{t('attention.failing', { share: formatShare(attempts > 0 ? failed / attempts : 0), failed, attempts })}</>
}

/** The stored balance may be old, so it can be fetched again. */
function LowChannelBalance({ item }: { item: Item }) {
  const { t } = useTranslation('dashboard')
  const client = useQueryClient()
  const { channel_id: id = 0, channel_name: name = '', balance = 0, time } = item
  const refresh = useMutation({
    mutationFn: () => call(api.refreshBalance, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: attentionQuery.queryKey }),
  })
  return (
    <Row
      name={name}
      detail={
        <>
          {t('attention.balance', { amount: dollars(refresh.data?.balance ?? balance, 2, 2) })}
          {time !== undefined && !refresh.data && (
            <>
              {' · '}
              <Time unixSeconds={time} />
            </>
          )}
        </>
      }
    >
      <Button
        size="small"
        loading={refresh.isPending}
        aria-label={t('attention.refreshOf', { name })}
        onClick={() => refresh.mutate()}
      >
        {t('attention.refresh')}
      </Button>
    </Row>
  )
}

function LowUserBalance({ item: { username = '', quota = 0, limit = 0 } }: { item: Item }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  return (
    <Row
      name={username}
      detail={t('attention.userBalance', { amount: formatBalance(quota), limit: formatBalance(limit) })}
    >
      <Button
        size="small"
        aria-label={t('attention.viewOf', { name: username })}
        onClick={() => void navigate(`/admin/users?keyword=${encodeURIComponent(username)}`)}
      >
        {t('attention.view')}
      </Button>
    </Row>
  )
}

function Row({ name, detail, children }: { name: string; detail: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.problem}>
      <div className={styles.problemText}>
        <p className={styles.problemName} title={name}>
          {name}
        </p>
        <p className={styles.problemDetail}>{detail}</p>
      </div>
      <div className={styles.problemActions}>{children}</div>
    </div>
  )
}

const MAX_NAMES = 3

function ModelNames({ models, total }: { models: readonly string[]; total: number }) {
  const { t } = useTranslation('dashboard')
  const names = models.slice(0, MAX_NAMES)
  return (
    <span className="mono">
      {names.join(', ')}
      {total > names.length && ` ${t('attention.andMore', { count: total - names.length })}`}
    </span>
  )
}

function SetPrices() {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  if (!useMaySetPrices()) return null
  return (
    <Button size="small" onClick={() => void navigate('/admin/prices?show=unpriced')}>
      {t('attention.setPrices')}
    </Button>
  )
}

interface TurnOnProps {
  item: Item
  value: string
  /** Restored by Undo. */
  before: string
}

/** Only the super admin may change options of the operation tab. */
function TurnOn({ item, value, before }: TurnOnProps) {
  const { t } = useTranslation('dashboard')
  const mayChange = useSession(({ user }) => api.isRoot(user?.role ?? 0))
  const resolve = useResolve(item)
  const { option: key = '', kind } = item
  const name = t(kind === 'retries_off' ? 'attention.retries' : 'attention.logging')
  const set = (to: string) => call(api.updateOption, { body: { key, value: to } })
  const turnOn = useMutation({
    mutationFn: () => set(value),
    onSuccess: () => resolve(t('attention.turnedOn', { name }), () => set(before)),
  })
  if (!mayChange) return null
  return (
    <Button
      size="small"
      loading={turnOn.isPending}
      aria-label={t('attention.turnOnOf', { name })}
      onClick={() => turnOn.mutate()}
    >
      {t('attention.turnOn')}
    </Button>
  )
}
