import { DeleteOutlined, DiffOutlined, ReloadOutlined } from '@ant-design/icons'
import { isRoot } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { useSession } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import { App, Button } from '../../ui/kit/index.ts'
import { useClearCalls, useRefreshShadow } from './queries.ts'

interface Props {
  matching: boolean
  refreshing: boolean
  onMatch(): void
}

export function Actions({ matching, refreshing, onMatch }: Props) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const refresh = useRefreshShadow()
  const mayClear = useSession(({ user }) => isRoot(user?.role ?? 0))
  return (
    <>
      {mayClear && <ClearButton />}
      <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={() => void refresh()}>
        {common('refresh')}
      </Button>
      <Button type="primary" icon={<DiffOutlined aria-hidden />} loading={matching} onClick={onMatch}>
        {t('match.action')}
      </Button>
    </>
  )
}

function ClearButton() {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const clear = useClearCalls()
  const ask = () => {
    modal.confirm({
      title: t('clear.title'),
      content: t('clear.text'),
      okText: t('clear.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // A refusal has been told by a toast.
      onOk: () =>
        clear.mutateAsync().then(
          (removed) => toast.success(t('clear.done', { count: formatCount(removed) })),
          () => {},
        ),
    })
  }
  return (
    <Button danger icon={<DeleteOutlined aria-hidden />} onClick={ask}>
      {t('clear.action')}
    </Button>
  )
}
