import { BarChartOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { compact, formatCount, formatSpending } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton, Tooltip } from '../../../ui/kit/index.ts'
import { Panel } from '../charts/panel.tsx'
import styles from '../dashboard.module.css'
import { rankingQuery } from '../queries.ts'
import type { Span } from '../view.ts'
import { RankList } from './rank-list.tsx'

/** Who spent most. */
export function UsersPanel({ span }: { span: Span }) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const ranking = useQuery(rankingQuery(span))
  return (
    <Panel title={t('users.title')} aside={ranking.data && t('users.count', { count: ranking.data.length })}>
      {body()}
    </Panel>
  )

  function body() {
    const { data, error } = ranking
    if (!data && error) {
      return <ErrorState title={common('errors.loadFailed')} error={error} onRetry={ranking.refetch} />
    }
    if (!data) return <Skeleton active paragraph={{ rows: 7 }} title={false} />
    const most = data[0]?.quota ?? 0
    return (
      <RankList
        label={t('users.list')}
        items={data.map(({ user_id: id, username, quota, count, token_used: tokens }) => ({
          key: id,
          color: 'var(--primary)',
          name: username ? <UserName name={username} /> : <span className="secondary">{t('users.gone', { id })}</span>,
          value: formatSpending(quota),
          length: most > 0 ? quota / most : 0,
          facts: [
            t('facts.requests', { count, written: formatCount(count) }),
            t('facts.tokens', { written: compact(tokens) }),
          ].join(' · '),
        }))}
      />
    )
  }
}

/** Leads to the account, and beside it to what that account used in the same time. */
function UserName({ name }: { name: string }) {
  const { t } = useTranslation('dashboard')
  const { search } = useLocation()
  const theirs = new URLSearchParams(search)
  theirs.set('of', 'user')
  theirs.set('username', name)
  return (
    <span className={styles.userName}>
      <Link to={`/admin/users?keyword=${encodeURIComponent(name)}`}>{name}</Link>
      <Tooltip title={t('users.theirUse')}>
        <Link to={`?${theirs.toString()}`} aria-label={t('users.useOf', { name })} className={styles.userUse}>
          <BarChartOutlined aria-hidden />
        </Link>
      </Tooltip>
    </span>
  )
}
