import { BarChartOutlined } from '@ant-design/icons'
import type { ChannelSpeed } from '@tidegate/contract/api'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Money } from '../../components/money.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { formatCount, formatDay, sumDecimals } from '../../lib/format.ts'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import { rankingQuery, slowestChannelsQuery, tokenDays, tokenRankingQuery } from './api.ts'
import styles from './dashboard.module.css'
import { formatMilliseconds, formatShare, shareOf } from './usage.ts'
import type { Span, View } from './view.ts'

/** Users by spending in the selected range. */
export function TopUsers({ span, range }: { span: Span } & Pick<View, 'range'>) {
  const { t } = useTranslation('dashboard')
  const ranking = useQuery(rankingQuery(span))
  return (
    <RankCard
      title={t('users.title')}
      aside={t(`ranges.${range}`)}
      list={{ to: '/admin/users', text: t('users.all') }}
      query={ranking}
      empty={t('users.empty')}
    >
      {({ user_id: id, username, quota, count }, [first]) => ({
        key: id,
        name: username ? <UserName name={username} /> : <span className="secondary">{t('users.gone', { id })}</span>,
        detail: t('facts.requests', { written: formatCount(count) }),
        length: shareOf(quota, first?.quota ?? 0),
        value: <Money quota={quota} decimals={sumDecimals(first?.quota ?? quota)} />,
      })}
    </RankCard>
  )
}

/** Links to the account, and to its usage in the same range. */
function UserName({ name }: { name: string }) {
  const { t } = useTranslation('dashboard')
  const { search } = useLocation()
  const usage = new URLSearchParams(search)
  usage.set('of', 'user')
  usage.set('username', name)
  return (
    <>
      <Link to={`/admin/users?keyword=${encodeURIComponent(name)}`} title={name}>
        {name}
      </Link>
      <Tooltip title={t('users.theirUse')}>
        <Link to={`?${usage.toString()}`} aria-label={t('users.useOf', { name })} className={styles.userUsage}>
          <BarChartOutlined aria-hidden />
        </Link>
      </Tooltip>
    </>
  )
}

/** API tokens by spending in the UTC days of the selected range. */
export function TopTokens({ span }: { span: Span }) {
  const { t, i18n } = useTranslation('dashboard')
  const ranking = useQuery(tokenRankingQuery(span))
  const { start, end } = tokenDays(span)
  const days = [...new Set([start, end].map((time) => formatDay(time, i18n.resolvedLanguage ?? 'en', true)))]
  return (
    <RankCard
      title={t('tokens.title')}
      aside={t('tokens.range', { days: days.join(' – ') })}
      query={ranking}
      empty={t('users.empty')}
    >
      {({ user_id: id, username, token_name: name, quota }, [first]) => ({
        key: `${id} ${name}`,
        name: (
          <Link to={`/app/logs/api-usage?${logsOf(name, username, { start, end })}`} title={`${name} · ${username}`}>
            {name}
          </Link>
        ),
        detail: username || `#${id}`,
        length: shareOf(quota, first?.quota ?? 0),
        value: <Money quota={quota} decimals={sumDecimals(first?.quota ?? quota)} />,
      })}
    </RankCard>
  )
}

function logsOf(token: string, username: string, { start, end }: Pick<Span, 'start' | 'end'>): string {
  return new URLSearchParams({
    token,
    ...(username && { username }),
    range: 'custom',
    start: String(start),
    end: String(end),
  }).toString()
}

/** Milliseconds from which a channel is marked. */
const SLOW = 2500
const VERY_SLOW = 4000

/** Channels by their average time to the first token, or to the response without streams. */
export function SlowestChannels() {
  const { t } = useTranslation('dashboard')
  const channels = useQuery(slowestChannelsQuery)
  return (
    <RankCard
      title={t('slowest.title')}
      aside={t('slowest.range')}
      list={{ to: '/admin/channels', text: t('slowest.all') }}
      query={channels}
      empty={t('slowest.empty')}
    >
      {(channel, [first]) => ({
        key: channel.channel_id,
        name: (
          <Link to={`/admin/channels?drawer=edit&id=${channel.channel_id}`} title={channel.channel_name}>
            {channel.channel_name || `#${channel.channel_id}`}
          </Link>
        ),
        detail:
          channel.failed > 0
            ? t('slowest.failed', { share: formatShare(shareOf(channel.failed, channel.attempts)) })
            : t('facts.requests', { written: formatCount(channel.attempts) }),
        length: shareOf(waitOf(channel), first ? waitOf(first) : 0),
        value: <span data-tone={toneOf(waitOf(channel))}>{formatMilliseconds(waitOf(channel))}</span>,
      })}
    </RankCard>
  )
}

const waitOf = ({ first_token_ms: firstToken, average_ms: average }: ChannelSpeed) => firstToken ?? average

function toneOf(milliseconds: number): 'bad' | 'warn' | undefined {
  if (milliseconds >= VERY_SLOW) return 'bad'
  return milliseconds >= SLOW ? 'warn' : undefined
}

interface Ranked {
  key: number | string
  name: ReactNode
  detail: string
  /** Share of the largest value, 0 to 1. */
  length: number
  value: ReactNode
}

interface Props<Row> {
  title: string
  aside: string
  list?: { to: string; text: string }
  query: UseQueryResult<Row[]>
  empty: string
  children(row: Row, rows: readonly Row[]): Ranked
}

const FIRST = 5

function RankCard<Row>({ title, aside, list, query, empty, children: rankOf }: Props<Row>) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const [isExpanded, setExpanded] = useState(false)
  const { data, error } = query
  return (
    <section className={styles.ranking} aria-label={title}>
      <header className={styles.cardHead}>
        <h2 className={styles.cardTitle}>{title}</h2>
        <span className={styles.hint}>{aside}</span>
        {list && (
          <Link to={list.to} className={styles.cardLink}>
            {list.text}
          </Link>
        )}
      </header>
      {!data && error && <LoadError title={common('errors.loadFailed')} error={error} onRetry={query.refetch} />}
      {!data && !error && <SkeletonRows rows={5} />}
      {data?.length === 0 && <p className={styles.rankEmpty}>{empty}</p>}
      {data && data.length > 0 && (
        <ol className={styles.ranks} aria-label={title}>
          {(isExpanded ? data : data.slice(0, FIRST)).map((row) => {
            const { key, name, detail, length, value } = rankOf(row, data)
            return (
              <li key={key} className={styles.rank}>
                <span className={styles.rankName}>{name}</span>
                <span className={`number ${styles.rankDetail}`}>{detail}</span>
                <span className={styles.rankBar} aria-hidden>
                  <span style={{ width: `${Math.max(length * 100, 1)}%` }} />
                </span>
                <span className={`number ${styles.rankValue}`}>{value}</span>
              </li>
            )
          })}
        </ol>
      )}
      {data && data.length > FIRST && (
        <Button type="link" size="small" className={styles.rankMore} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? t('showFewer') : t('showAll', { count: data.length })}
        </Button>
      )}
    </section>
  )
}
