import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/use-first-focus.ts'
import type { TokenValues } from './token-values.ts'

const NAME_MAXIMUM = 30

export function NameField() {
  const { t } = useTranslation('tokens')
  const first = useFirstFocus()
  return (
    <Form.Item<TokenValues>
      name="name"
      label={t('form.name')}
      extra={t('form.nameHint')}
      rules={[
        { required: true, whitespace: true, message: t('form.nameRequired') },
        { max: NAME_MAXIMUM, message: t('form.nameLong') },
      ]}
    >
      <Input ref={first} autoComplete="off" />
    </Form.Item>
  )
}
