import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../ui/kit/index.ts'
import type { TokenValues } from './token-values.ts'

export function AddressField() {
  const { t } = useTranslation('tokens')
  return (
    <Form.Item<TokenValues> name="addresses" label={t('form.addresses')} extra={t('form.addressesHint')}>
      <Input.TextArea
        className="mono"
        autoSize={{ minRows: 2, maxRows: 8 }}
        placeholder={'203.0.113.7\n10.0.0.0/8'}
        spellCheck={false}
      />
    </Form.Item>
  )
}
