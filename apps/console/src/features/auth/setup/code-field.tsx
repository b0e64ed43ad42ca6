import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../ui/kit/index.ts'
import type { SetupValues } from './setup-values.ts'

/** Asked of those who reach a fresh server from a public address. */
export function CodeField() {
  const { t } = useTranslation('setup')
  return (
    <Form.Item<SetupValues>
      name="setup_code"
      label={t('code')}
      extra={t('codeHint')}
      rules={[{ required: true, whitespace: true, message: t('errors.code') }]}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} />
    </Form.Item>
  )
}
