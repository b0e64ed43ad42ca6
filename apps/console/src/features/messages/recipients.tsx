import { CloseOutlined, UserAddOutlined } from '@ant-design/icons'
import type { ListedUser, MessageRecipient } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { formatCount } from '../../lib/format.ts'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { Button, Pagination, Table } from '../../ui/kit/index.ts'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { selectionState, toggleRows, type RowSelection } from '../../ui/table/row-selection.ts'
import { selectionColumn, SelectionContext } from '../../ui/table/selection-column.tsx'
import { RECIPIENTS_PER_PAGE, recipientsQuery, selectableUsersQuery, USERS_PER_PAGE } from './api.ts'
import styles from './messages.module.css'

const NO_USERS: readonly number[] = []

interface PickerProps {
  /** Given by the form. */
  id?: string
  value?: readonly number[]
  onChange?(ids: number[]): void
}

/** How many selected users are named. */
const MAX_NAMES = 8

/** The selected users, and a list to select more. */
export function UserPicker({ id, value = NO_USERS, onChange }: PickerProps) {
  const { t } = useTranslation('messages')
  const [isOpen, setOpen] = useState(false)
  /** Names of the users that were selected here. */
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const select = (ids: readonly number[], listed: readonly ListedUser[] = []) => {
    setNames(new Map([...names, ...listed.map((user) => [user.id, user.username] as const)]))
    onChange?.([...ids])
  }
  return (
    <div className={styles.picker}>
      <div className={styles.pickerTools}>
        <Button
          {...(id !== undefined && { id })}
          icon={<UserAddOutlined aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'picker.close' : 'picker.open')}
        </Button>
        <output className={`number ${styles.count}`}>{t('picker.count', { count: formatCount(value.length) })}</output>
        {value.length > 0 && (
          <Button size="small" type="link" onClick={() => select([])}>
            {t('picker.clear')}
          </Button>
        )}
      </div>
      {value.length > 0 && (
        <ul className={styles.chosen}>
          {value.slice(0, MAX_NAMES).map((user) => {
            const name = names.get(user) ?? `#${user}`
            return (
              <li key={user}>
                {name}
                <button
                  type="button"
                  aria-label={t('picker.remove', { name })}
                  onClick={() => select(value.filter((other) => other !== user))}
                >
                  <CloseOutlined aria-hidden />
                </button>
              </li>
            )
          })}
          {value.length > MAX_NAMES && (
            <li className="secondary">{t('picker.more', { count: value.length - MAX_NAMES })}</li>
          )}
        </ul>
      )}
      {isOpen && <UserList value={value} onSelect={select} />}
    </div>
  )
}

interface ListProps {
  value: readonly number[]
  /** Called with the selected IDs and the users of this page. */
  onSelect(ids: readonly number[], listed: readonly ListedUser[]): void
}

/** Selects users. The selection survives paging and searching. */
function UserList({ value, onSelect }: ListProps) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const [query, setQuery] = useState({ keyword: '', page: 1 })
  const search = useCallback((keyword: string) => setQuery({ keyword, page: 1 }), [])
  const users = useQuery(selectableUsersQuery(query.keyword, query.page))
  const selection: RowSelection<ListedUser> = {
    ids: new Set(value),
    idsOf: ({ id, DeletedAt: gone }) => (gone === null ? [id] : []),
    labelOf: ({ username }) => t('picker.tick', { name: username }),
    onChange: (ids) => onSelect([...ids], users.data?.items ?? []),
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps Enter from submitting the form
    <fieldset className={styles.list} aria-label={t('picker.label')} onKeyDown={keepForm}>
      <FilterInput label={t('picker.search')} value={query.keyword} onChange={search} />
      <SelectionContext value={selection}>{list()}</SelectionContext>
      <SmallPages
        page={query.page}
        size={USERS_PER_PAGE}
        shown={users.data?.items.length ?? 0}
        total={users.data?.total ?? 0}
        onTurn={(page) => setQuery({ ...query, page })}
      />
    </fieldset>
  )

  function list() {
    if (users.data) return <UserRows users={users.data.items} selection={selection} isOld={users.isPlaceholderData} />
    if (!users.error) return <SkeletonRows rows={5} />
    return (
      <LoadError
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
  selection: RowSelection<ListedUser>
  isOld: boolean
}

function UserRows({ users, selection, isOld }: RowsProps) {
  const { t } = useTranslation('messages')
  const columns = useUserColumns()
  const shown = useMemo(() => [selectionColumn<ListedUser>(users), ...columns], [users, columns])
  const toggle = (user: ListedUser) => toggleRows([user], selectionState(user, selection) === 'none', selection)
  if (users.length === 0) return <p className={styles.empty}>{t('picker.empty')}</p>
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

/** A click anywhere in the row toggles it; the checkbox handles its own clicks. */
const isBeside = (target: EventTarget) => target instanceof Element && !target.closest('label')

/** Enter in the search or on a checkbox must not submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

function useUserColumns(): Column<ListedUser>[] {
  const { t } = useTranslation('messages')
  return useMemo(
    (): Column<ListedUser>[] => [
      {
        key: 'id',
        title: t('picker.columns.id'),
        align: 'right',
        width: 72,
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'username',
        title: t('picker.columns.username'),
        className: styles.words!,
        render: (_, { username, DeletedAt: gone }) => (
          <>
            {username}{' '}
            {gone !== null && (
              <StatusTag tone="neutral" plain>
                {t('picker.gone')}
              </StatusTag>
            )}
          </>
        ),
      },
      {
        key: 'displayName',
        title: t('picker.columns.displayName'),
        className: styles.words!,
        render: (_, { display_name: name }) => name || <span className="secondary">–</span>,
      },
    ],
    [t],
  )
}

/** Recipients of a message, and who has read it. */
export function RecipientTable({ id }: { id: number }) {
  const { t } = useTranslation('messages')
  const [page, setPage] = useState(1)
  const list = useQuery(recipientsQuery(id, page))
  const columns = useRecipientColumns()
  return (
    <section>
      <h3 className={styles.section}>{t('recipients.title')}</h3>
      <ResourceTable
        label={t('recipients.label')}
        rows={list.data?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(recipient) => <RecipientCard recipient={recipient} />}
        refreshing={list.isFetching && list.isPlaceholderData}
        error={list.error}
        onRetry={list.refetch}
        empty={<EmptyState title={t('recipients.empty')} />}
        footer={
          <SmallPages
            page={page}
            size={RECIPIENTS_PER_PAGE}
            shown={list.data?.items.length ?? 0}
            total={list.data?.total ?? 0}
            onTurn={setPage}
          />
        }
      />
    </section>
  )
}

const idOf = ({ user_id: id }: MessageRecipient) => id

function useRecipientColumns(): Column<MessageRecipient>[] {
  const { t } = useTranslation('messages')
  return useMemo(
    (): Column<MessageRecipient>[] => [
      {
        key: 'id',
        title: t('recipients.columns.id'),
        align: 'right',
        render: (_, { user_id: id }) => <span className="number">{id}</span>,
      },
      { key: 'username', title: t('recipients.columns.username'), render: (_, { username }) => username || '–' },
      {
        key: 'displayName',
        title: t('recipients.columns.displayName'),
        render: (_, { display_name: name }) => name || '–',
      },
      { key: 'state', title: t('recipients.columns.state'), render: (_, { read_at: at }) => <ReadTag at={at} /> },
      { key: 'readAt', title: t('recipients.columns.readAt'), render: (_, { read_at: at }) => <ReadTime at={at} /> },
    ],
    [t],
  )
}

function RecipientCard({ recipient: { user_id: id, username, display_name: name, read_at: at } }: CardProps) {
  return (
    <RowCard
      title={username || '–'}
      note={[`#${id}`, name !== username && name].filter(Boolean).join(' · ')}
      aside={at === null ? <ReadTag at={at} /> : <ReadTime at={at} />}
    />
  )
}

interface CardProps {
  recipient: MessageRecipient
}

function ReadTag({ at }: { at: string | null }) {
  const { t } = useTranslation('messages')
  return at === null ? (
    <StatusTag tone="neutral">{t('recipients.unread')}</StatusTag>
  ) : (
    <StatusTag tone="usual">{t('recipients.read')}</StatusTag>
  )
}

function ReadTime({ at }: { at: string | null }) {
  if (at === null) return <span className="secondary">–</span>
  return <Time unixSeconds={Math.floor(new Date(at).getTime() / 1000)} exact />
}

interface PagesProps {
  page: number
  size: number
  shown: number
  total: number
  onTurn(page: number): void
}

/** Pager of a list in a drawer, with a fixed page size. Hidden for a single page. */
function SmallPages({ page, size, shown, total, onTurn }: PagesProps) {
  const { t } = useTranslation()
  if (total <= size) return null
  const before = (page - 1) * size
  return (
    <nav className={styles.pages} aria-label={t('pages')}>
      <span className="secondary number">
        {t('rangeOfTotal', {
          from: formatCount(shown === 0 ? 0 : before + 1),
          to: formatCount(shown === 0 ? 0 : before + shown),
          total: formatCount(total),
        })}
      </span>
      <Pagination
        size="small"
        current={page}
        pageSize={size}
        total={total}
        showSizeChanger={false}
        showLessItems
        onChange={onTurn}
      />
    </nav>
  )
}
