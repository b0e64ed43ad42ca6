import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { NEVER_EXPIRES, TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { RatioTag } from '../../components/ratio-tag.tsx'
import { formatBalance, formatCount, formatRelativeTime } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { FILL, onlyWhenChanged, type Column } from '../../ui/table/columns.ts'
import { RowButton, RowName } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { TokenActionButtons, useActions } from './actions.tsx'
import { ownGroupsQuery } from './api.ts'
import { keyOf, maskedKeyOf } from './token-key.ts'
import styles from './tokens.module.css'

export function useTokenColumns(): Column<ApiToken>[] {
  const { t } = useTranslation('tokens')
  return useMemo(
    () =>
      onlyWhenChanged<ApiToken>([
        {
          key: 'name',
          title: t('columns.name'),
          fixed: 'left',
          ...FILL,
          render: (_, token) => <TokenName token={token} />,
        },
        {
          key: 'status',
          title: t('columns.status'),
          render: (_, token) => <TokenStatus token={token} />,
        },
        { key: 'key', title: t('columns.key'), from: 1024, render: (_, token) => <TokenKey token={token} /> },
        { key: 'money', title: t('columns.remaining'), render: (_, token) => <TokenMoney token={token} /> },
        { key: 'group', title: t('columns.group'), from: 1200, render: (_, token) => <TokenGroup token={token} /> },
        {
          key: 'lastUse',
          title: t('columns.lastUse'),
          from: 1024,
          render: (_, token) => <TokenLastUse token={token} />,
        },
        {
          key: 'expires',
          title: t('columns.expires'),
          from: 1200,
          render: (_, token) => <TokenExpiry token={token} />,
        },
        {
          key: 'created',
          title: t('columns.created'),
          // The least important column. The table would not fit beside the sidebar on a screen of 1440 px.
          from: 1600,
          render: (_, token) => <Time unixSeconds={token.created_time} />,
        },
        {
          key: 'actions',
          title: <span className="visually-hidden">{t('columns.actions')}</span>,
          align: 'right',
          fixed: 'right',
          render: (_, token) => <TokenActionButtons token={token} />,
        },
      ]),
    [t],
  )
}

export function TokenCard({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const details = useQuotaDetails(token)
  return (
    <RowCard
      title={token.name}
      note={<TokenLastUse token={token} />}
      aside={
        <>
          {token.status !== TOKEN_STATUS.enabled && <TokenStatus token={token} />}
          <Remaining token={token} />
        </>
      }
      actions={<TokenActionButtons token={token} />}
      details={
        <>
          <TokenKey token={token} />
          <TokenMoney token={token} />
          <span className="secondary">{details.join(' · ')}</span>
          <Facts
            facts={[
              { term: t('columns.group'), value: <TokenGroup token={token} /> },
              { term: t('columns.expires'), value: <TokenExpiry token={token} /> },
              { term: t('columns.created'), value: <Time unixSeconds={token.created_time} /> },
            ]}
          />
        </>
      }
    />
  )
}

/** Most tokens are enabled, so that state has no colour. */
export function TokenStatus({ token }: { token: Pick<ApiToken, 'status' | 'model_limits_enabled'> }) {
  const { t } = useTranslation('tokens')
  switch (token.status) {
    case TOKEN_STATUS.enabled:
      return <span className="secondary">{token.model_limits_enabled ? t('status.limited') : t('status.enabled')}</span>
    case TOKEN_STATUS.disabled:
      return <StatusTag tone="neutral">{t('status.disabled')}</StatusTag>
    case TOKEN_STATUS.expired:
      return <StatusTag tone="warn">{t('status.expired')}</StatusTag>
    case TOKEN_STATUS.exhausted:
      return <StatusTag tone="bad">{t('status.exhausted')}</StatusTag>
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

function TokenName({ token: { id, name } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const { edit } = useActions()
  return (
    <span className={styles.name}>
      <RowName label={t('actionOn.edit', { name })} onClick={() => edit(id)}>
        {name}
      </RowName>
    </span>
  )
}

/** The key, masked at first, because screens are shared. */
function TokenKey({ token }: { token: Pick<ApiToken, 'key' | 'name'> }) {
  const { t } = useTranslation('tokens')
  const [shown, setShown] = useState(false)
  const { name } = token
  return (
    <span className={styles.key}>
      <code className={`mono ${styles.keyText}`} data-shown={shown || undefined}>
        {shown ? keyOf(token) : maskedKeyOf(token)}
      </code>
      <RowButton
        label={t(shown ? 'hideKey' : 'showKey', { name })}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
      </RowButton>
      <CopyButton text={keyOf(token)} label={t('copyKey', { name })} />
    </span>
  )
}

function TokenExpiry({ token }: { token: Pick<ApiToken, 'expired_time'> }) {
  const { t } = useTranslation('tokens')
  return token.expired_time === NEVER_EXPIRES ? (
    <span className="secondary">{t('never')}</span>
  ) : (
    <Time unixSeconds={token.expired_time} />
  )
}

function TokenLastUse({ token }: { token: Pick<ApiToken, 'accessed_time'> }) {
  const { t } = useTranslation('tokens')
  return token.accessed_time === 0 ? (
    <span className="secondary">{t('unused')}</span>
  ) : (
    <Time unixSeconds={token.accessed_time} />
  )
}

/** The group that requests are billed in. A token without a group uses the group of its owner. */
function TokenGroup({ token }: { token: Pick<ApiToken, 'group'> }) {
  const { t } = useTranslation('tokens')
  const ownGroup = useSession(({ user }) => user?.group ?? '')
  const ratio = useQuery(ownGroupsQuery).data?.[token.group || ownGroup]?.ratio
  return (
    <span className={styles.group}>
      <span className={token.group ? styles.groupName : `secondary ${styles.groupName}`} title={token.group}>
        {token.group || t('ownGroup')}
      </span>
      {ratio !== undefined && ratio !== 1 && <GroupRatio ratio={ratio} />}
    </span>
  )
}

/** The price multiplier of a group. */
export function GroupRatio({ ratio }: { ratio: number }) {
  const { t } = useTranslation('tokens')
  return <RatioTag ratio={ratio}>{t('ratio', { ratio })}</RatioTag>
}

/** What is left of a limit in total or per day, week or month. */
function TokenMoney({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const details = useQuotaDetails(token)
  const { budget_period: period } = token
  return (
    <span className={styles.money} title={details.join('\n')}>
      <Remaining token={token} />{' '}
      {!token.unlimited_quota && (
        <span className="secondary number">
          {t('ofTotal', { total: formatBalance(limitOf(token)) })}
          {period !== '' && ` ${t(`budget.${period}`)}`}
        </span>
      )}
    </span>
  )
}

const limitOf = ({ remain_quota: left, used_quota: used, budget_period: period, budget_quota: budget }: ApiToken) =>
  period === '' ? left + used : budget

/** What was spent, when a budget starts again, and the exact quota. */
function useQuotaDetails(token: ApiToken): string[] {
  const { t, i18n } = useTranslation('tokens')
  const { t: common } = useTranslation()
  const { unlimited_quota: isUnlimited, remain_quota: left, used_quota: used } = token
  const hasBudget = !isUnlimited && token.budget_period !== ''
  return [
    t('spent', { amount: formatBalance(used) }),
    ...(hasBudget
      ? [t('budget.resets', { when: formatRelativeTime(token.budget_resets_at, i18n.resolvedLanguage ?? 'en') })]
      : []),
    common('quotaExactly', { quota: formatCount(isUnlimited ? used : left) }),
  ]
}

const FEW = 0.1

/** Red if an enabled token has little left of its limit. */
function Remaining({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const { remain_quota: left, status } = token
  if (token.unlimited_quota) return <span className="secondary">{t('unlimited')}</span>
  const isLow = status === TOKEN_STATUS.enabled && left <= limitOf(token) * FEW
  return (
    <span className={`number ${styles.remaining}`} data-low={isLow || undefined}>
      {formatBalance(left)}
    </span>
  )
}
