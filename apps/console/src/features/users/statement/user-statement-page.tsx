import { ArrowLeftOutlined, LockOutlined, UserDeleteOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { CallError } from '../../../lib/call-error.ts'
import { Statement } from '../../../lib/statement/statement.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import styles from '../users.module.css'
import { useFromList } from './from-list.ts'
import { statementOf, usernameQuery } from './queries.ts'

/** Everything that moved the balance of one user, for those who answer for it. */
export default function UserStatementPage() {
  const { t } = useTranslation('users')
  const { id: written = '' } = useParams()
  const id = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : null
  const { username, list } = useFromList()
  const asked = useQuery({ ...usernameQuery(id ?? 0), enabled: id !== null && username === '' })
  const name = username || asked.data || `#${written}`
  return (
    <>
      <Link className={styles.back} to={`/admin/users${list}`}>
        <ArrowLeftOutlined aria-hidden /> {t('statement.back')}
      </Link>
      <PageHeader
        title={t('statement.title', { name })}
        purpose={t('statement.purpose')}
        action={id !== null && <Link to={`/admin/orders?user_id=${id}`}>{t('statement.orders')}</Link>}
      />
      {id === null ? <NoSuchUser id={written} /> : <StatementOf key={id} id={id} />}
    </>
  )
}

function StatementOf({ id }: { id: number }) {
  const { t } = useTranslation('users')
  const source = useMemo(() => statementOf(id), [id])
  return (
    <Statement
      source={source}
      forAdmin
      empty={{ title: t('statement.empty'), hint: t('statement.emptyHint') }}
      refusalOf={refusalOf}
    />
  )

  function refusalOf(error: Error) {
    const code = error instanceof CallError ? error.code : ''
    if (code === 'user_not_found') return <NoSuchUser id={String(id)} />
    if (code !== 'rank_read') return null
    return (
      <section className={styles.refusal} role="alert">
        <EmptyState icon={<LockOutlined aria-hidden />} title={t('statement.notYours')} hint={error.message} />
      </section>
    )
  }
}

function NoSuchUser({ id }: { id: string }) {
  const { t } = useTranslation('users')
  return (
    <section className={styles.refusal} role="alert">
      <EmptyState
        icon={<UserDeleteOutlined aria-hidden />}
        title={t('statement.notFound')}
        hint={t('statement.notFoundHint', { id })}
      />
    </section>
  )
}
