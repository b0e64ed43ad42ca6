import type { User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { FormSection } from '../../../ui/form-section.tsx'
import { Form, Input } from '../../../ui/kit/index.ts'
import { passwordProblem } from './account-rules.ts'
import { NameFields } from './name-fields.tsx'
import { useFieldRule } from './use-field-rule.ts'
import type { UserValues } from './user-values.ts'

export function AccountSection({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const rule = useFieldRule()
  const isMe = useSession((session) => session.user?.id === user.id)
  const password = Form.useWatch<string | undefined>('password') ?? ''
  return (
    <FormSection title={t('form.account')}>
      <NameFields />
      <Form.Item<UserValues>
        name="password"
        label={t('form.newPassword')}
        extra={t('form.newPasswordHint')}
        rules={[rule(passwordProblem)]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {isMe && password !== '' && (
        <Form.Item<UserValues>
          name="original_password"
          label={t('form.originalPassword')}
          extra={t('form.originalPasswordHint')}
          rules={[{ required: true, message: t('problems.originalPasswordBlank') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      )}
    </FormSection>
  )
}
