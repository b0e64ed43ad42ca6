import { useTranslation } from 'react-i18next'
import { Form } from '../../../../ui/kit/index.ts'
import { JsonOrTextField } from './json-or-text-field.tsx'
import type { ChannelValues } from '../channel-values.ts'
import { isRegion } from './region.ts'

const TEMPLATE = JSON.stringify({ default: 'us-central1', 'claude-3-5-sonnet-20240620': 'europe-west1' }, null, 2)

/** One region for all models, or a JSON object of models and their regions. */
export function RegionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve // a change of type sets it before it is drawn
      name="other"
      label={t('vendor.region')}
      extra={t('vendor.regionHint')}
      rules={[
        { required: true, whitespace: true, message: t('vendor.regionRequired') },
        {
          validator: (_, text: string = '') =>
            text.trim() === '' || isRegion(text)
              ? Promise.resolve()
              : Promise.reject(new Error(t('vendor.regionInvalid'))),
        },
      ]}
    >
      <JsonOrTextField template={TEMPLATE} templateText={t('vendor.regionTemplate')} placeholder="us-central1" />
    </Form.Item>
  )
}
