import { ArrowLeftOutlined, LockOutlined, UserDeleteOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { ApiError } from '../../api/errors.ts'
import { Statement } from '../../components/statement/statement.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { statementOf, usernameQuery } from './api.ts'
import { useStatementOrigin } from './statement-origin.ts'
import styles from './users.module.css'

/** The ledger entries of one user, for administrators. */
export default function UserStatementPage() {
  const { t } = useTranslation('users')
  const { id: parameter = '' } = useParams()
  const id = /^[1-9]\d{0,14}$/.test(parameter) ? Number(parameter) : null
  const { username, list } = useStatementOrigin()
  const loaded = useQuery({ ...usernameQuery(id ?? 0), enabled: id !== null && username === '' })
  const name = username || loaded.data || `#${parameter}`
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
      {id === null ? (
        <NoSuchUser id={parameter} />
      ) : (
        <StatementOf key={id} id={id} username={username || (loaded.data ?? '')} />
      )}
    </>
  )
}

function StatementOf({ id, username }: { id: number; username: string }) {
  const { t } = useTranslation('users')
  const source = useMemo(() => statementOf(id), [id])
  return (
    <Statement
      source={source}
      username={username}
      forAdmin
      empty={{ title: t('statement.empty'), hint: t('statement.emptyHint') }}
      renderError={renderError}
    />
  )

  function renderError(error: Error) {
    const code = error instanceof ApiError ? error.code : ''
    if (code === 'user_not_found') return <NoSuchUser id={String(id)} />
    if (code !== 'rank_read') return null
    return (
      <section className={styles.notFound} role="alert">
        <EmptyState icon={<LockOutlined aria-hidden />} title={t('statement.notYours')} hint={error.message} />
      </section>
    )
  }
}

function NoSuchUser({ id }: { id: string }) {
  const { t } = useTranslation('users')
  return (
    <section className={styles.notFound} role="alert">
      <EmptyState
        icon={<UserDeleteOutlined aria-hidden />}
        title={t('statement.notFound')}
        hint={t('statement.notFoundHint', { id })}
      />
    </section>
  )
}
