import { isRoot } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../api/session.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { Panel } from './parts.tsx'
import { useDialog, useLeaveSession } from './hooks.ts'
import { toast } from '../../../lib/toast.ts'
import { FormDialog } from './form-dialog.tsx'
import { useDeleteSelf } from './api.ts'
import styles from './security.module.css'

export function DeletionPanel() {
  const { t } = useTranslation('security')
  const user = useSession((session) => session.user)
  const dialog = useDialog('delete')
  // The server rejects the deletion of the super admin.
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

interface Values {
  username: string
}

interface Props {
  username: string
  open: boolean
  onClose(): void
}

function DeletionDialog({ username, open, onClose }: Props) {
  const { t } = useTranslation('security')
  const remove = useDeleteSelf()
  const leave = useLeaveSession()
  const submit = async ({ username: typed }: Values) => {
    await remove.mutateAsync(typed.trim())
    leave()
    toast.success(t('deletion.done'))
  }
  return (
    <FormDialog<Values>
      title={t('deletion.action')}
      open={open}
      onClose={onClose}
      onSubmit={submit}
      submitText={t('deletion.submit')}
      danger
      errors={{ account_name_differs: 'username' }}
    >
      <Alert className={styles.error} type="error" showIcon title={t('deletion.lost')} />
      <Form.Item<Values>
        name="username"
        label={t('deletion.label', { username })}
        validateTrigger="onSubmit"
        rules={[
          {
            validator: (_, typed: string = '') =>
              typed.trim() === username ? Promise.resolve() : Promise.reject(new Error(t('deletion.differs'))),
          },
        ]}
      >
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
    </FormDialog>
  )
}
