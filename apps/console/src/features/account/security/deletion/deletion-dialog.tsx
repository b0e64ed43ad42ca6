import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { Alert, Form, Input } from '../../../../ui/kit/index.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useDeleteSelf } from '../queries.ts'
import styles from '../security.module.css'
import { useLeave } from '../use-leave.ts'

interface Values {
  username: string
}

interface Props {
  username: string
  open: boolean
  onClose(): void
}

export function DeletionDialog({ username, open, onClose }: Props) {
  const { t } = useTranslation('security')
  const remove = useDeleteSelf()
  const leave = useLeave()
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
      refusals={{ account_name_differs: 'username' }}
    >
      <Alert className={styles.trouble} type="error" showIcon title={t('deletion.lost')} />
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
