import { CheckOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { InboxList } from './inbox-list.tsx'
import { InboxPages } from './inbox-pages.tsx'
import { inboxQuery } from './queries.ts'
import { useReadAll } from './read-state.ts'
import { useUnreadCount } from './unread.ts'

export default function InboxPage() {
  const { t } = useTranslation('inbox')
  const { search, change } = useUrlState()
  const page = pageIn(search.get('page'))
  const list = useQuery(inboxQuery(page))
  const turn = (next: number) => change({ page: next > 1 ? next : null })
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={<ReadAllButton />} />
      <InboxList list={list} page={page} onFirstPage={() => turn(1)} />
      <InboxPages page={page} shown={list.data?.items.length ?? 0} total={list.data?.total ?? 0} onTurn={turn} />
    </>
  )
}

function ReadAllButton() {
  const { t } = useTranslation('inbox')
  const unread = useUnreadCount()
  const readAll = useReadAll()
  const start = () =>
    readAll.mutate(undefined, {
      onSuccess: (count) => toast.success(count === 0 ? t('readAllNothing') : t('readAllDone', { count })),
    })
  return (
    <Button icon={<CheckOutlined aria-hidden />} loading={readAll.isPending} disabled={unread === 0} onClick={start}>
      {t('readAll')}
    </Button>
  )
}

function pageIn(text: string | null): number {
  const asked = Number(text)
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1
}
