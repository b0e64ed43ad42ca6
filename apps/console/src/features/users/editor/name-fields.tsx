import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/use-first-focus.ts'
import { displayNameProblem, usernameProblem } from './account-rules.ts'
import { useFieldRule } from './use-field-rule.ts'

/** What an account is called, new or known. */
export function NameFields() {
  const { t } = useTranslation('users')
  const first = useFirstFocus()
  const rule = useFieldRule()
  return (
    <>
      <Form.Item
        name="username"
        label={t('form.username')}
        extra={t('form.usernameHint')}
        rules={[rule(usernameProblem)]}
      >
        <Input ref={first} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="display_name"
        label={t('form.displayName')}
        extra={t('form.displayNameHint')}
        rules={[rule(displayNameProblem)]}
      >
        <Input autoComplete="off" />
      </Form.Item>
    </>
  )
}
