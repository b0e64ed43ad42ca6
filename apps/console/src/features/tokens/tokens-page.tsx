import { PlusOutlined } from '@ant-design/icons'
import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { TokenIcon } from '../../components/token-icon.tsx'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { useDrawerState, usePageState } from '../../lib/url-state.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSelection } from '../../ui/table/use-selection.ts'
import { BatchActions, TokenActionsContext, useTokenActions } from './actions.tsx'
import { tokensQuery } from './api.ts'
import { TokenCard, useTokenColumns } from './columns.tsx'
import { tokenFilters } from './filters.ts'
import styles from './tokens.module.css'

const CreateTokenDrawer = lazy(async () => ({ default: (await import('./token-drawer.tsx')).CreateTokenDrawer }))
const EditTokenDrawer = lazy(async () => ({ default: (await import('./token-drawer.tsx')).EditTokenDrawer }))
const ConnectDialog = lazy(() => import('./connect/connect-dialog.tsx'))

export default function TokensPage() {
  const { t } = useTranslation('tokens')
  const status = useStatus()
  const pages = usePageState()
  const filters = useFilters(tokenFilters)
  const query = useQuery(tokensQuery(filters.values, pages))
  const columns = useTokenColumns()
  const selection = useSelection(query.data?.rows, { idOf, labelOf: ({ name }) => t('tick', { name }) })
  const drawers = useDrawerState(['tool'])
  const [createdId, setCreatedId] = useState<number | null>(null)
  const actions = useTokenActions({
    connect: (id) => drawers.open('connect', id),
    edit: (id) => drawers.open('edit', id),
    onDeleted: selection.drop,
  })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => drawers.open('create')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} sticky />
      {status.log_chat_content_enabled && (
        <div className={styles.notices}>
          <Alert type="info" showIcon title={t('chatLogged')} />
        </div>
      )}
      <TokenActionsContext value={actions}>
        <ResourceList
          label={t('list')}
          query={query}
          pages={pages}
          filters={{
            state: filters,
            fields: { keyword: { label: t('filters.keyword') }, key: { label: t('filters.key') } },
          }}
          rowKey={idOf}
          columns={columns}
          renderCard={(token) => <TokenCard token={token} />}
          isFaded={isOutOfUse}
          selection={selection}
          batch={<BatchActions tokens={selection.rows} />}
          empty={{ icon: <TokenIcon />, title: t('empty.title'), hint: t('empty.hint'), action: add }}
        />
      </TokenActionsContext>
      <Suspense>
        {drawers.render('create', (drawer) => (
          <CreateTokenDrawer
            {...drawer}
            onCreated={({ id }) => {
              setCreatedId(id)
              drawers.open('connect', id)
            }}
          />
        ))}
        {drawers.renderFor('edit', (drawer) => (
          <EditTokenDrawer {...drawer} />
        ))}
        {drawers.renderFor('connect', (drawer) => (
          <ConnectDialog
            {...drawer}
            isNew={drawer.id === createdId}
            onClose={() => {
              setCreatedId(null)
              drawer.onClose()
            }}
          />
        ))}
      </Suspense>
    </>
  )
}

const idOf = ({ id }: ApiToken) => id

const isOutOfUse = ({ status }: ApiToken) => status !== TOKEN_STATUS.enabled
