import { PASSWORD_LENGTH } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Form, Input } from '../../../ui/kit/index.ts'
import { FormDialog } from './form-dialog.tsx'
import { useChangePassword } from './api.ts'
import styles from './security.module.css'

interface Values {
  original?: string
  password: string
  again: string
}

interface Props {
  /** Whether the account has a password. */
  isSet: boolean
  open: boolean
  onClose(): void
}

export function PasswordDialog({ isSet, open, onClose }: Props) {
  const { t } = useTranslation('security')
  const change = useChangePassword()
  const save = async ({ original = '', password }: Values) => {
    await change.mutateAsync({ password, original_password: original })
    onClose()
    toast.success(t('password.changed'))
  }
  return (
    <FormDialog<Values>
      title={isSet ? t('password.change') : t('password.create')}
      open={open}
      onClose={onClose}
      onSubmit={save}
      submitText={t('password.submit')}
      errors={{
        original_password_wrong: 'original',
        original_password_required: 'original',
        password_common: 'password',
        password_like_name: 'password',
      }}
    >
      <p className={styles.lead}>{t('password.ends')}</p>
      {isSet && (
        <Form.Item<Values>
          name="original"
          label={t('password.original')}
          rules={[{ required: true, message: t('password.errors.original') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      )}
      <Form.Item<Values>
        name="password"
        label={t('password.new')}
        extra={t('password.hint')}
        validateFirst
        rules={[
          rule((password) => characterCount(password) >= PASSWORD_LENGTH.min, t('password.errors.short')),
          rule((password) => characterCount(password) <= PASSWORD_LENGTH.max, t('password.errors.long')),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item<Values>
        name="again"
        label={t('password.again')}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) =>
            rule(
              (again) => again === ((getFieldValue('password') as string | undefined) ?? ''),
              t('password.errors.mismatch'),
            ),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </FormDialog>
  )
}

/** Counts code points, as the server does. */
const characterCount = (text: string) => [...text].length

function rule(isValid: (value: string) => boolean, message: string) {
  return {
    validator: (_: unknown, value: string = '') =>
      isValid(value) ? Promise.resolve() : Promise.reject(new Error(message)),
  }
}
