import { ApiOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ChannelCard } from './channel-card.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { channelsQuery } from './queries.ts'
import { useChannelColumns } from './use-channel-columns.tsx'

export default function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const channels = useQuery(channelsQuery(pages.page, pages.size))
  const columns = useChannelColumns()
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      <DataTable
        label={t('list')}
        rows={channels.data}
        rowKey={(channel) => channel.id}
        columns={columns}
        renderCard={(channel) => <ChannelCard channel={channel} />}
        refreshing={channels.isFetching && channels.isPlaceholderData}
        error={channels.error}
        onRetry={channels.refetch}
        empty={
          pages.page === 1 ? (
            <EmptyState
              icon={<ApiOutlined aria-hidden />}
              title={t('empty.title')}
              hint={t('empty.hint')}
              action={add}
            />
          ) : (
            <EmptyState
              title={t('emptyPage.title')}
              action={<Button onClick={() => pages.turn(1, pages.size)}>{t('emptyPage.action')}</Button>}
            />
          )
        }
        footer={<Pager state={pages} shown={channels.data?.length ?? 0} />}
      />
      <ChannelDrawer open={search.get('drawer') === 'create'} onClose={() => change({ drawer: null })} />
    </>
  )
}
