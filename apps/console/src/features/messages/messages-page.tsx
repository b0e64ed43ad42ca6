import { MailOutlined, PlusOutlined } from '@ant-design/icons'
import type { Message } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { stored } from '../../lib/stored.ts'
import { useDrawerState, usePageState, useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { messagesQuery } from './api.ts'
import { MessageCard, useMessageActions, useMessageColumns } from './columns.tsx'
import { isFiltered, MessageSearch, NO_FILTERS, readFilters, type MessageFilters } from './filters.tsx'

const CreateMessageDrawer = lazy(async () => ({ default: (await import('./message-drawer.tsx')).CreateMessageDrawer }))
const EditMessageDrawer = lazy(async () => ({ default: (await import('./message-drawer.tsx')).EditMessageDrawer }))

export default function MessagesPage() {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const { search, change } = useUrlState()
  const pages = usePageState(stored.messagePageSize)
  const filters = readFilters(search)
  const query = useQuery(messagesQuery(filters, pages))
  const drawers = useDrawerState()
  const actions = useMessageActions((id) => drawers.open('edit', id))
  const columns = useMessageColumns(actions)
  const setFilters = (next: MessageFilters) => change({ ...next, page: null })
  const create = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => drawers.open('create')}>
      {t('create')}
    </Button>
  )
  const empty = isFiltered(filters)
    ? {
        title: common('list.noMatches'),
        hint: common('list.noMatchesHint'),
        action: <Button onClick={() => setFilters(NO_FILTERS)}>{common('list.clearFilters')}</Button>,
      }
    : { icon: <MailOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint'), action: create }
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={create} sticky />
      <ResourceList
        label={t('list')}
        query={query}
        pages={pages}
        search={<MessageSearch filters={filters} onChange={setFilters} onReload={() => void query.refetch()} />}
        rowKey={idOf}
        columns={columns}
        renderCard={(message) => <MessageCard message={message} actions={actions} />}
        empty={empty}
      />
      <Suspense>
        {drawers.render('create', (drawer) => (
          <CreateMessageDrawer {...drawer} />
        ))}
        {drawers.renderFor('edit', (drawer) => (
          <EditMessageDrawer {...drawer} />
        ))}
      </Suspense>
    </>
  )
}

const idOf = ({ id }: Message) => id
