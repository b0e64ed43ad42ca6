import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { REDEMPTION_STATUS, UNLIMITED_USES, type Redemption } from '@tidegate/contract/api'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { formatCount, formatRowTime } from '../../lib/format.ts'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { FILL, onlyWhenChanged, type Column } from '../../ui/table/columns.ts'
import { RowButton, RowName } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { CodeActionButtons, useActions } from './actions.tsx'
import { maskKey, stateOf, titleOf, type CodeState } from './code.ts'
import styles from './codes.module.css'

export function useCodeColumns(): Column<Redemption>[] {
  const { t } = useTranslation('coupons')
  return useMemo(
    () =>
      onlyWhenChanged<Redemption>([
        {
          key: 'id',
          title: t('columns.id'),
          align: 'right',
          fixed: 'left',
          from: 1024,
          render: (_, { id }) => <span className="number">{id}</span>,
        },
        {
          key: 'name',
          title: t('columns.name'),
          fixed: 'left',
          ...FILL,
          render: (_, code) => <CodeName code={code} />,
        },
        { key: 'status', title: t('columns.status'), render: (_, code) => <CodeStatus code={code} /> },
        { key: 'key', title: t('columns.key'), from: 1024, render: (_, code) => <CodeKey code={code} /> },
        {
          key: 'quota',
          title: t('columns.quota'),
          align: 'right',
          render: (_, { quota }) => <Money quota={quota} />,
        },
        { key: 'window', title: t('columns.window'), from: 1200, render: (_, code) => <CodeValidity code={code} /> },
        { key: 'use', title: t('columns.use'), render: (_, code) => <CodeUse code={code} none={NONE} /> },
        {
          key: 'created',
          title: t('columns.created'),
          from: 1200,
          render: (_, code) => <Time unixSeconds={code.created_time} />,
        },
        {
          key: 'actions',
          title: <span className="visually-hidden">{t('columns.actions')}</span>,
          align: 'right',
          fixed: 'right',
          render: (_, code) => <CodeActionButtons code={code} />,
        },
      ]),
    [t],
  )
}

export function CodeCard({ code }: { code: Redemption }) {
  const { t } = useTranslation('coupons')
  return (
    <RowCard
      title={code.name}
      note={<span className="number">#{code.id}</span>}
      aside={
        <>
          <CodeStatus code={code} />
          <Money quota={code.quota} />
        </>
      }
      actions={<CodeActionButtons code={code} />}
      details={
        <>
          <CodeKey code={code} />
          <Facts
            facts={[
              { term: t('columns.use'), value: <CodeUse code={code} none={NONE} /> },
              { term: t('columns.window'), value: <CodeValidity code={code} /> },
              { term: t('columns.created'), value: <Time unixSeconds={code.created_time} /> },
            ]}
          />
        </>
      }
    />
  )
}

/** Only unused codes can be edited. */
function CodeName({ code }: { code: Redemption }) {
  const { t } = useTranslation('coupons')
  const { edit } = useActions()
  const { id, name, status } = code
  return (
    <span className={styles.name} title={name}>
      {status === REDEMPTION_STATUS.unused ? (
        <RowName label={t('actionOn.edit', { name: titleOf(code) })} onClick={() => edit(id)}>
          {name}
        </RowName>
      ) : (
        name
      )}
    </span>
  )
}

const NONE = <span className="secondary">–</span>

const TONES: Record<CodeState, RowTone> = {
  unused: 'usual',
  open: 'usual',
  notYet: 'info',
  expired: 'warn',
  usedUp: 'usual',
  disabled: 'neutral',
  used: 'usual',
  unknown: 'neutral',
}

function CodeStatus({ code }: { code: Redemption }) {
  const { t } = useTranslation('coupons')
  const state = stateOf(code)
  return (
    <span className={styles.tags}>
      <StatusTag tone={TONES[state]}>{t(`status.${state}`)}</StatusTag>
      {code.is_gift && (
        <StatusTag tone="info" plain>
          {t('gift')}
        </StatusTag>
      )}
    </span>
  )
}

/** Masked at first, because screens are shared. */
function CodeKey({ code }: { code: Redemption }) {
  const { t } = useTranslation('coupons')
  const [shown, setShown] = useState(false)
  const name = titleOf(code)
  return (
    <span className={styles.key}>
      <code className={`mono ${styles.keyText}`}>{shown ? code.key : maskKey(code.key)}</code>
      <RowButton
        label={t(shown ? 'actionOn.hide' : 'actionOn.show', { name })}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
      </RowButton>
    </span>
  )
}

/** Uses of a gift code; user and time of any other code. `none` stands for an unused code. */
function CodeUse({ code, none = null }: { code: Redemption; none?: ReactNode }) {
  const { t } = useTranslation('coupons')
  const { is_gift: isGift, used_count: used, max_uses: most, used_user_id: user, redeemed_time: time } = code
  if (!isGift && user === 0 && time === 0) return none
  const uses =
    most === UNLIMITED_USES
      ? t('use.unlimited', { used: formatCount(used) })
      : t('use.limited', { used: formatCount(used), most: formatCount(most) })
  return (
    <span className={styles.use}>
      {isGift && <span className="number">{uses}</span>}
      {user !== 0 && <Link to={`/admin/users?keyword=${user}`}>{t('use.user', { id: user })}</Link>}
      {time !== 0 && (
        <span className="secondary">
          <Time unixSeconds={time} />
        </span>
      )}
    </span>
  )
}

function CodeValidity({ code }: { code: Pick<Redemption, 'valid_from' | 'valid_until'> }) {
  const { t, i18n } = useTranslation('coupons')
  const language = i18n.resolvedLanguage ?? 'en'
  const { valid_from: from, valid_until: until } = code
  if (from === 0 && until === 0) return <span className="secondary">{t('window.always')}</span>
  return (
    <span className={`${styles.window} number`}>
      {from !== 0 && <span>{t('window.from', { time: formatRowTime(from, language) })}</span>}
      {until !== 0 && <span>{t('window.until', { time: formatRowTime(until, language) })}</span>}
    </span>
  )
}
