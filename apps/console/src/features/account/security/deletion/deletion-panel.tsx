import { isRoot } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../ui/kit/index.ts'
import { Panel } from '../panel.tsx'
import { useDialog } from '../use-dialog.ts'
import { DeletionDialog } from './deletion-dialog.tsx'

export function DeletionPanel() {
  const { t } = useTranslation('security')
  const user = useSession((session) => session.user)
  const dialog = useDialog('delete')
  // A site needs its super administrator; the server would refuse.
  if (!user || isRoot(user.role)) return null
  return (
    <Panel
      title={t('deletion.title')}
      hint={t('deletion.hint')}
      action={
        <Button danger onClick={dialog.open}>
          {t('deletion.action')}
        </Button>
      }
    >
      <DeletionDialog username={user.username} open={dialog.isOpen} onClose={dialog.close} />
    </Panel>
  )
}
