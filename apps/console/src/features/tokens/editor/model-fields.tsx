import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button, Form, Select } from '../../../ui/kit/index.ts'
import { ownModelsQuery } from '../queries.ts'
import styles from '../tokens.module.css'
import { SwitchField } from './switch-field.tsx'
import type { TokenValues } from './token-values.ts'

/** `stored` names may stay although no channel serves them now, so they have to be among the choices. */
export function ModelFields({ stored }: { stored: readonly string[] }) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const isLimited = Form.useWatch('limitsModels', form) ?? false
  const models = useQuery(ownModelsQuery)
  const names = [...new Set([...(models.data ?? []), ...stored])]
  const choose = (value: string[]) => form.setFields([{ name: 'models', value, touched: true, errors: [] }])
  return (
    <>
      <SwitchField name="limitsModels" label={t('form.limitsModels')} hint={t('form.limitsModelsHint')} />
      {isLimited && (
        <Form.Item label={t('form.models')} htmlFor="models">
          <Form.Item<TokenValues>
            name="models"
            noStyle
            rules={[{ required: true, type: 'array', min: 1, message: t('form.modelsRequired') }]}
          >
            <Select
              id="models"
              mode="multiple"
              allowClear
              maxTagCount={20}
              placeholder={t('form.modelsHint')}
              options={names.map((name) => ({ value: name, label: name }))}
              loading={models.isPending}
            />
          </Form.Item>
          <div className={styles.presets}>
            <Button size="small" disabled={names.length === 0} onClick={() => choose(names)}>
              {t('form.modelsAll', { count: names.length })}
            </Button>
          </div>
        </Form.Item>
      )}
    </>
  )
}
