import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/status.ts'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { tokensQuery } from './queries.ts'
import { TokenCard } from './token-card.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import styles from './tokens.module.css'
import { useTokenColumns } from './use-token-columns.tsx'

export default function TokensPage() {
  const { t } = useTranslation('tokens')
  const status = useStatus()
  const { search, change } = useUrlState()
  const pages = usePageState()
  const tokens = useQuery(tokensQuery(pages.page, pages.size))
  const columns = useTokenColumns()
  const openDrawer = () => change({ drawer: 'create' })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={openDrawer}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      <div className={styles.notices}>
        <Alert type="warning" showIcon title={t('warning')} />
        {status.log_chat_content_enabled && <Alert type="info" showIcon title={t('chatLogged')} />}
      </div>
      <DataTable
        label={t('list')}
        rows={tokens.data}
        rowKey={(token) => token.id}
        columns={columns}
        renderCard={(token) => <TokenCard token={token} />}
        refreshing={tokens.isFetching && tokens.isPlaceholderData}
        error={tokens.error}
        onRetry={tokens.refetch}
        empty={
          pages.page === 1 ? (
            <EmptyState
              icon={<KeyOutlined aria-hidden />}
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
        footer={<Pager state={pages} shown={tokens.data?.length ?? 0} />}
      />
      <TokenDrawer open={search.get('drawer') === 'create'} onClose={() => change({ drawer: null })} />
    </>
  )
}
