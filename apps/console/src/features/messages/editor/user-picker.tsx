import type { ListedUser } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button, Skeleton, Table } from '../../../ui/kit/index.ts'
import { tickColumn, TicksContext } from '../../../ui/tick-boxes.tsx'
import { countTicked, toggleTicks, type Ticks } from '../../../ui/ticks.ts'
import styles from '../messages.module.css'
import { USERS_PER_PAGE, usersToChooseQuery } from '../queries.ts'
import { SmallPages } from './small-pages.tsx'
import { useUserColumns } from './use-user-columns.tsx'

const NOBODY: readonly number[] = []

interface Props {
  value?: readonly number[]
  onChange?(ids: number[]): void
}

/** Users to tick, page by page; whoever was ticked on another page, or before a search, stays so. */
export function UserPicker({ value = NOBODY, onChange }: Props) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const [question, setQuestion] = useState({ keyword: '', page: 1 })
  const search = useCallback((keyword: string) => setQuestion({ keyword, page: 1 }), [])
  const users = useQuery(usersToChooseQuery(question.keyword, question.page))
  const ticks: Ticks<ListedUser> = {
    ids: new Set(value),
    idsOf: ({ id, DeletedAt: gone }) => (gone === null ? [id] : []),
    labelOf: ({ username }) => t('picker.tick', { name: username }),
    onChange: (ids) => onChange?.([...ids]),
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- holds Enter back from the form around it
    <fieldset className={styles.picker} aria-label={t('picker.label')} onKeyDown={keepForm}>
      <div className={styles.pickerTools}>
        <FilterInput label={t('picker.search')} value={question.keyword} onChange={search} />
        <output className={`number ${styles.count}`}>{t('picker.count', { count: formatCount(value.length) })}</output>
        {value.length > 0 && (
          <Button size="small" type="link" onClick={() => onChange?.([])}>
            {t('picker.clear')}
          </Button>
        )}
      </div>
      <TicksContext value={ticks}>{list()}</TicksContext>
      <SmallPages
        page={question.page}
        size={USERS_PER_PAGE}
        shown={users.data?.items.length ?? 0}
        total={users.data?.total ?? 0}
        onTurn={(page) => setQuestion({ ...question, page })}
      />
    </fieldset>
  )

  function list() {
    if (users.data) return <UserRows users={users.data.items} ticks={ticks} isOld={users.isPlaceholderData} />
    if (!users.error) return <Skeleton active title={false} paragraph={{ rows: 5, width: '100%' }} />
    return (
      <ErrorState
        title={common('errors.loadFailed')}
        error={users.error}
        retrying={users.isFetching}
        onRetry={users.refetch}
      />
    )
  }
}

interface RowsProps {
  users: ListedUser[]
  ticks: Ticks<ListedUser>
  isOld: boolean
}

function UserRows({ users, ticks, isOld }: RowsProps) {
  const { t } = useTranslation('messages')
  const columns = useUserColumns()
  const shown = useMemo(() => [tickColumn<ListedUser>(users), ...columns], [users, columns])
  const toggle = (user: ListedUser) => toggleTicks([user], countTicked(user, ticks) === 'none', ticks)
  if (users.length === 0) return <p className={styles.nobody}>{t('picker.empty')}</p>
  return (
    <div className={styles.rows} aria-busy={isOld} data-refreshing={isOld || undefined}>
      <Table<ListedUser>
        aria-label={t('picker.label')}
        size="small"
        columns={shown}
        dataSource={users}
        rowKey="id"
        pagination={false}
        rowHoverable={false}
        onRow={(user) => ({ onClick: (event) => isBeside(event.target) && toggle(user) })}
      />
    </div>
  )
}

/** The whole row is there to be hit; its box takes a click of its own. */
const isBeside = (target: EventTarget) => target instanceof Element && !target.closest('label')

/** Enter in a search or on a box is not yet a wish to send the message. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}
