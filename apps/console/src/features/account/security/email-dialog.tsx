import { useTranslation } from 'react-i18next'
import { EmailCodeField } from '../../../components/auth/email-code-field.tsx'
import { HumanCheckWidget, useHumanCheck } from '../../../components/auth/human-check.tsx'
import { toast } from '../../../lib/toast.ts'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useBindEmail } from './api.ts'
import { FormDialog } from './form-dialog.tsx'
import styles from './security.module.css'

interface Values {
  email: string
  code: string
}

interface Props {
  /** The linked address, or blank. */
  current: string
  open: boolean
  onClose(): void
}

export function EmailDialog({ current, open, onClose }: Props) {
  const { t } = useTranslation('security')
  const bind = useBindEmail()
  const save = async ({ email, code }: Values) => {
    await bind.mutateAsync({ email: email.trim(), code: code.trim() })
    onClose()
    toast.success(t('email.done'))
  }
  return (
    <FormDialog<Values>
      title={current === '' ? t('email.bindTitle') : t('email.change')}
      open={open}
      onClose={onClose}
      onSubmit={save}
      submitText={t('bind')}
      errors={{ email_invalid: 'email', email_taken: 'email', code_invalid: 'code' }}
    >
      <p className={styles.lead}>{current === '' ? t('email.purpose') : t('email.replaces', { email: current })}</p>
      <EmailFields />
    </FormDialog>
  )
}

function EmailFields() {
  const { t } = useTranslation('security')
  const check = useHumanCheck('bind')
  return (
    <>
      <Form.Item<Values>
        name="email"
        label={t('email.address')}
        rules={[{ required: true, whitespace: true, message: t('email.errors.address') }]}
      >
        <Input inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <HumanCheckWidget check={check} />
      <EmailCodeField
        name="code"
        emailName="email"
        id="security-dialog_code"
        check={check}
        texts={{
          label: t('email.code'),
          hint: t('email.codeHint'),
          required: t('email.errors.code'),
          send: t('email.getCode'),
          sendAgain: (seconds) => t('email.getAgain', { seconds }),
          sent: t('email.sent'),
        }}
      />
    </>
  )
}
